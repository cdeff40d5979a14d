package import GRDB

/// The changes of a store, batch by batch, as they are committed.
///
/// ```swift
/// let changes = try await store.changes()
/// for try await batch in changes {
///     for change in batch.changes { print(change.kind, change.entity, change.properties) }
/// }
/// ```
///
/// Each row that a commit changed is in it once; commits come in their order, and what was rolled
/// back does not come at all. It covers everything that this store's connection writes: imports,
/// pulls, local changes, migrations, and SQL through ``Store/writer``. Writes of other connections
/// and processes are not seen.
///
/// Changes wait in a temporary table until they are read, so a slow reader neither delays writers
/// nor loses anything, and memory stays bounded. The sequence ends after ``finish()``, once the
/// waiting batches are read. When the task that iterates is cancelled, the iterator throws
/// `CancellationError`; the waiting batches stay for another iteration, or for ``poll()``. Several
/// iterators share the batches: each batch goes to one of them.
public final class ChangeBatches: AsyncSequence, Sendable {
    /// A batch of changes.
    public typealias Element = ChangeBatch

    private let store: Store
    private let number: Int

    init(_ store: Store, _ number: Int) {
        self.store = store
        self.number = number
    }

    deinit { store.feed.unsubscribe(number, store.writer) }

    /// Ends the sequence: later commits are not recorded for it, and the iterator ends after the
    /// batches that wait already.
    public func finish() {
        store.feed.finish(number)
    }

    /// Returns the next batch that is committed already, or nil where none waits.
    ///
    /// For code that does not wait: call it until it returns nil.
    ///
    /// - Throws: `DatabaseError`.
    public func poll() throws -> ChangeBatch? {
        try store.writer.writeWithoutTransaction { db in try store.feed.next(db, number) }
    }

    /// Returns an iterator over the batches.
    public func makeAsyncIterator() -> Iterator {
        Iterator(batches: self)
    }

    /// Waits for the batches of a store.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let batches: ChangeBatches

        /// Returns the next batch, waiting for a commit where none is there yet; nil at the end.
        ///
        /// - Throws: `CancellationError`, `DatabaseError`.
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
    /// Records the changes of rows from now on, and returns them as a sequence.
    ///
    /// Recording ends when the sequence is finished or released. While nothing records, writing
    /// costs nothing more.
    ///
    /// ```swift
    /// let changes = try store.changes()
    /// _ = try Importer(store).import(&items, into: "User")
    /// while let batch = try changes.poll() { show(batch.changes) }
    /// ```
    ///
    /// - Returns: The changes of all commits that follow.
    /// - Throws: ``StoreError/Code/outdated``, `DatabaseError`.
    public func changes() throws -> ChangeBatches {
        let number = try writer.writeWithoutTransaction(subscribe)
        return ChangeBatches(self, number)
    }

    /// Records the changes of rows from now on, without blocking the caller.
    ///
    /// See ``changes()``.
    ///
    /// - Returns: The changes of all commits that follow.
    /// - Throws: ``StoreError/Code/outdated``, `DatabaseError`, `CancellationError`.
    public func changes() async throws -> ChangeBatches {
        let number = try await writer.writeWithoutTransaction { [self] db in
            try subscribe(db)
        }
        return ChangeBatches(self, number)
    }

    private func subscribe(_ db: Database) throws -> Int {
        try expectLayout(db)
        return try feed.subscribe(db, layout)
    }

    /// Completes the record of what a transaction changed, as the last thing before it commits.
    ///
    /// Rows are compared while no other process can have changed them. A transaction that does not
    /// call this is compared right after its commit.
    ///
    /// - Throws: `DatabaseError`.
    package func sealChanges(_ db: Database) throws {
        try feed.seal(db)
    }
}
