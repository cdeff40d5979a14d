public import TidemarkStore

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
    /// - Returns: The snapshots. Nothing is read before they are iterated.
    public func live<Record: EntityRecord>(
        _ request: EntityRequest<Record>,
        window: Range<Int>? = nil
    ) -> LiveResults<Record> {
        live(request, window: window, environment: .live)
    }

    /// Returns the snapshots of a request without a type.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - window: The positions whose records are loaded; the others are only counted. Nil for
    ///     all.
    /// - Returns: The snapshots. Nothing is read before they are iterated.
    public func live(
        _ request: RecordRequest,
        window: Range<Int>? = nil
    ) -> LiveResults<StoredRecord> {
        live(request, window: window, environment: .live)
    }

    /// Returns the snapshots of one row, which are empty once it is deleted.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The snapshots. Nothing is read before they are iterated.
    public func live<Record: EntityRecord>(_ row: RowID<Record>) -> LiveResults<Record> {
        live(row, environment: .live)
    }
}

extension LiveList {
    /// Creates a list, which begins to read its rows in the background.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - store: The store.
    ///   - window: The positions whose records are loaded; the others are only counted. Nil for
    ///     all.
    public convenience init(
        _ request: EntityRequest<Record>,
        in store: Store,
        window: Range<Int>? = nil
    ) {
        self.init(request, in: store, window: window, environment: .live)
    }
}
