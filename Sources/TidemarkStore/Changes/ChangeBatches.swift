package import GRDB

/// An asynchronous sequence of the rows that each commit of a store changes.
///
/// ```swift
/// let changes = try await store.changes()
/// for try await batch in changes {
///     for change in batch.changes { print(change.kind, change.entity, change.properties) }
/// }
/// ```
///
/// Commits are returned in their order, each with one change for every row that it changed. Changes
/// that are rolled back are not returned. The sequence contains everything that this store's
/// connection writes: imports, pulls, local changes, migrations, and SQL through ``Store/writer``.
/// It does not contain the writes of other connections and processes.
///
/// Changes are queued in a temporary table until they are read, so a slow reader delays no writer
/// and loses nothing, and memory stays bounded. The sequence ends after ``finish()``, when the
/// queued batches are read. When the task that iterates is cancelled, the iterator throws
/// `CancellationError`; the queued batches remain for another iteration, or for ``poll()``. Several
/// iterators share the batches: each batch is returned by one of them.
public final class ChangeBatches: AsyncSequence, Sendable {
    private let store: Store
    private let number: Int

    init(of store: Store, subscriber number: Int) {
        self.store = store
        self.number = number
    }

    deinit { store.feed.unsubscribe(number, from: store.writer) }

    /// Ends the sequence: later commits are not recorded for it, and the iterator ends after the
    /// batches that are already queued.
    ///
    /// A task that waits for the next batch is resumed. Call it from any thread; calling it again
    /// has no effect. Releasing the sequence has the same effect, and discards the queued batches.
    ///
    /// ```swift
    /// let changes = try await store.changes()
    /// _ = try await engine.pull()
    /// changes.finish()
    /// for try await batch in changes { print(batch.changes.count) }
    /// ```
    public func finish() {
        store.feed.finish(number)
    }

    /// Returns the next batch that is already committed, or nil if none is queued.
    ///
    /// Use it in code that is not asynchronous, after a write or an import. Call it until it
    /// returns nil. It waits until the connection is not writing, so it must not be called within a
    /// write of the same store.
    ///
    /// - Returns: The next batch; it is returned only once, by this function or by an iterator.
    /// - Throws: `DatabaseError`, also if the changes of an earlier commit cannot be recorded, for
    ///   example because the disk is full. No change is lost: once there is space, they are in the
    ///   next batch.
    public func poll() throws -> ChangeBatch? {
        try store.writer.writeWithoutTransaction { db in try store.feed.next(db, number) }
    }

    /// Returns an iterator over the batches; several iterators share them.
    public func makeAsyncIterator() -> Iterator {
        Iterator(batches: self)
    }

    /// An iterator that waits for the batches of a store, used by `for try await`.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let batches: ChangeBatches

        /// Returns the next batch, or nil at the end of the sequence.
        ///
        /// It waits for a commit if none is queued. If the task is cancelled while it waits, no
        /// batch is lost: another iterator returns the next one.
        ///
        /// - Returns: The next batch; nil after ``ChangeBatches/finish()``, once the queued batches
        ///   are read.
        /// - Throws: `CancellationError` if the task is cancelled; `DatabaseError`, also if the
        ///   changes of an earlier commit cannot be recorded. Another iterator returns them later.
        public func next() async throws -> ChangeBatch? {
            while true {
                // Requested before the read, so that a commit between the two is noticed.
                let commit = batches.store.feed.nextCommit(batches.number)
                if let batch = try await batches.read() { return batch }
                guard let commit else { return nil }
                for await _ in commit {}
                try Task.checkCancellation()
            }
        }
    }

    private func read() async throws -> ChangeBatch? {
        try await store.writer.writeWithoutTransaction { [store, number] db in
            try store.feed.next(db, number)
        }
    }
}

extension Store {
    /// Starts recording the changes of rows, and returns them as a sequence.
    ///
    /// Recording stops when the sequence is finished or released. While nothing records, a
    /// transaction only tests for that.
    ///
    /// ```swift
    /// let changes = try store.changes()
    /// _ = try Importer(store).import(&items, into: "User")
    /// while let batch = try changes.poll() { print(batch.changes) }
    /// ```
    ///
    /// - Returns: The changes of all commits that follow.
    /// - Throws: ``StoreError/Code/outdated``, `DatabaseError`.
    public func changes() throws -> ChangeBatches {
        let number = try writer.writeWithoutTransaction(subscribe)
        return ChangeBatches(of: self, subscriber: number)
    }

    /// Starts recording the changes of rows, without blocking the caller.
    ///
    /// Use it in asynchronous functions; the changes are those of the synchronous `changes()`.
    /// Start recording before the work whose changes you need: earlier commits are not included.
    ///
    /// ```swift
    /// let changes = try await store.changes()
    /// Task {
    ///     for try await batch in changes {
    ///         for change in batch.changes where change.kind == .delete {
    ///             print(change.entity, change.key?.parts ?? [])
    ///         }
    ///     }
    /// }
    /// _ = try await engine.pull()
    /// ```
    ///
    /// - Returns: The changes of all commits that follow.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened,
    ///   `DatabaseError`, `CancellationError`.
    public func changes() async throws -> ChangeBatches {
        let number = try await writer.writeWithoutTransaction { [self] db in
            try subscribe(db)
        }
        return ChangeBatches(of: self, subscriber: number)
    }

    private func subscribe(_ db: Database) throws -> Int {
        try expectLayout(db)
        return try feed.subscribe(db, layout)
    }

    /// Completes the record of a transaction's changes, as the last step before its commit.
    ///
    /// Rows are compared while no other process can have changed them. A transaction that does not
    /// call this function is compared right after its commit.
    ///
    /// - Throws: `DatabaseError`.
    package func sealChanges(_ db: Database) throws {
        try feed.seal(db)
    }
}
