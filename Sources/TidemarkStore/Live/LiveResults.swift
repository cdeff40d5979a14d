import TidemarkModel

/// An asynchronous sequence of snapshots of a request: its rows now, and after each commit that
/// changes them.
///
/// Create it with `Store.live(_:window:environment:)`, and iterate it in a task that lives as long
/// as the list on the screen:
///
/// ```swift
/// for try await films in store.live(Film.sorted(by: \.episode)) {
///     print(films.map(\.title))
/// }
/// ```
///
/// The first snapshot is read at once. Later ones show the state after a complete commit of any
/// writer: the library, SQL, an import or another process. A commit that changes nothing that the
/// request loads produces no snapshot. A slow consumer skips intermediate states.
///
/// The cost of a commit depends on the number of rows that it changes. A request with a limit, an
/// offset or SQL of its own is read again completely. Each iteration has its own state. The
/// sequence ends when its task is cancelled, and throws ``StoreError/Code/outdated`` after a
/// migration of the store.
public struct LiveResults<Record: Sendable>: AsyncSequence, Sendable {
    private let store: Store
    private let source: @Sendable () throws -> LiveSource<Record>
    private let window: Range<Int>?
    private let environment: SystemEnvironment

    init(
        _ store: Store,
        window: Range<Int>?,
        environment: SystemEnvironment,
        source: @escaping @Sendable () throws -> LiveSource<Record>
    ) {
        self.store = store
        self.source = source
        self.window = window
        self.environment = environment
    }

    /// Returns an iteration, which begins with the current rows.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            LiveIteration(store, window: window, environment: environment, source: source)
        )
    }

    /// One iteration of the snapshots.
    public struct Iterator: AsyncIteratorProtocol {
        private let iteration: LiveIteration<Record>

        fileprivate init(_ iteration: LiveIteration<Record>) {
            self.iteration = iteration
        }

        /// Waits for the next snapshot, and returns it; nil if the task is cancelled.
        ///
        /// - Throws: ``StoreError`` if the request does not match the store's model or the store
        ///   was migrated, ``RecordPredicateError``, `DatabaseError`. The sequence has ended then.
        public mutating func next() async throws -> LiveSnapshot<Record>? {
            try await iteration.next()
        }
    }
}
