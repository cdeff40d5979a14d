public import TidemarkModel

extension Store {
    /// Returns the snapshots of a typed request: its rows now, and after each commit that changes
    /// them.
    ///
    /// ```swift
    /// for try await films in store.live(Film.sorted(by: \.episode)) {
    ///     print(films.map(\.title))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - window: The positions whose records are loaded; the others are only counted. Nil for
    ///     all, `0..<0` to count.
    ///   - environment: The clock for polling commits of other processes, every 250 ms. An app
    ///     passes `SystemEnvironment.live`; tests pass that of a manual clock.
    /// - Returns: The snapshots. Nothing is read before they are iterated, which throws errors.
    public func live<Record: EntityRecord>(
        _ request: EntityRequest<Record>,
        window: Range<Int>? = nil,
        environment: SystemEnvironment
    ) -> LiveResults<Record> {
        LiveResults(self, window: window, environment: environment) { [layout] in
            try LiveSource(request, in: layout)
        }
    }

    /// Returns the snapshots of a request without a type: its rows now, and after each commit that
    /// changes them.
    ///
    /// ```swift
    /// for try await films in store.live(RecordRequest("Film", sort: [.init("title")])) {
    ///     print(films.count)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - window: The positions whose records are loaded; the others are only counted. Nil for
    ///     all.
    ///   - environment: The clock for polling commits of other processes, every 250 ms.
    /// - Returns: The snapshots. Nothing is read before they are iterated, which throws errors.
    public func live(
        _ request: RecordRequest,
        window: Range<Int>? = nil,
        environment: SystemEnvironment
    ) -> LiveResults<StoredRecord> {
        LiveResults(self, window: window, environment: environment) { [layout] in
            try LiveSource(request, in: layout)
        }
    }

    /// Returns the snapshots of one row: its record now, and after each commit that changes it.
    ///
    /// A snapshot is empty once the row is deleted.
    ///
    /// ```swift
    /// for try await snapshot in store.live(ada.rowID) { print(snapshot.first?.name ?? "deleted") }
    /// ```
    ///
    /// - Parameters:
    ///   - row: The identity of the row.
    ///   - environment: The clock for polling commits of other processes, every 250 ms.
    /// - Returns: The snapshots. Nothing is read before they are iterated, which throws errors.
    public func live<Record: EntityRecord>(
        _ row: RowID<Record>,
        environment: SystemEnvironment
    ) -> LiveResults<Record> {
        live(Record.filter { _ in RowExpression(.row) == row }, environment: environment)
    }
}
