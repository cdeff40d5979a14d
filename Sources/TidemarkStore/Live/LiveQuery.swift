import TidemarkModel

/// How the entries of a live result are read.
struct LiveQuery: Sendable {
    let request: RecordRequest

    /// The SQL of the values that the request loads with a row.
    let columns: [String]

    /// Returns hashes of the linked rows that the request loads, by row number; nil if it loads
    /// none.
    let hashLinks: HashLinks?

    typealias HashLinks = @Sendable (StoreReader, [Int64]) throws -> [Int64: Int]

    /// The title of a row's section, of the value by which it is sorted first; nil without
    /// sections.
    let title: (@Sendable (Value) -> String)?

    /// Whether the result has sections.
    var hasSections: Bool { title != nil }

    let dependencies: LiveDependencies

    /// Whether the rows of the result depend on their position among others.
    var isLimited: Bool { request.limit != nil || request.offset != 0 }

    /// Returns the entries of the result in their order.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - rows: The rows among which the request selects; nil for all.
    ///   - count: The number of rows that are expected: a list that grows is in memory twice when
    ///     it does.
    /// - Returns: The entries.
    /// - Throws: ``StoreError``, ``RecordPredicateError``, `DatabaseError`.
    func entries(
        _ reader: StoreReader,
        among rows: Set<Int64>? = nil,
        expecting count: Int
    ) throws -> LiveEntries {
        let sql = try RequestSQL(
            request,
            among: rows.map { $0.sorted()[...] },
            in: reader.layout
        )
        let values = columns.map { "\(sql: $0)" as SQLText } + sql.terms.map(\.value)
        var entries = LiveEntries()
        entries.reserveCapacity(count)
        var key = OrderKey.Builder()
        try reader.forEachRow(of: sql.select(values)) { statement in
            var hasher = Hasher()
            for column in 1..<columns.count + 1 { statement.value(at: column).hash(into: &hasher) }
            for (index, term) in sql.terms.enumerated() {
                key.append(statement.value(at: columns.count + 1 + index), as: term.order)
            }
            var section = ""
            if let title, let term = sql.terms.first {
                let value = statement.value(at: columns.count + 1)
                section = title(Value(value, type: term.type))
            }
            entries.append(
                LiveEntries.Entry(
                    key: key.key(row: statement.integer(at: 0)),
                    fingerprint: hasher.finalize(),
                    section: section
                )
            )
        }
        guard let hashLinks else { return entries }
        let links = try hashLinks(reader, entries.map(\.row))
        for position in entries.indices {
            var hasher = Hasher()
            hasher.combine(entries[position].fingerprint)
            hasher.combine(links[entries.row(at: position)])
            entries[position].fingerprint = hasher.finalize()
        }
        return entries
    }
}

extension StoredValue {
    /// Hashes the value and its storage class.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let number):
            hasher.combine(1)
            hasher.combine(number)
        case .real(let number):
            hasher.combine(2)
            hasher.combine(number.bitPattern)
        case .text(let bytes):
            hasher.combine(3)
            hasher.combine(bytes.count)
            hasher.combine(bytes: bytes)
        case .blob(let bytes):
            hasher.combine(4)
            hasher.combine(bytes.count)
            hasher.combine(bytes: bytes)
        }
    }
}
