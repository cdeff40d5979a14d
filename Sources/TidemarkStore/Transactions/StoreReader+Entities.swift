import GRDB
public import TidemarkModel

extension StoreReader {
    /// Returns the records that a request selects, with what it includes.
    ///
    /// ```swift
    /// let users = try store.read { reader in
    ///     try reader.fetch(User.filter { $0.age >= 18 }.including(\.notes))
    /// }
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Returns: The records, in the order of the request.
    /// - Throws: ``StoreError/Code/typeMismatch`` if the type does not match the store's model,
    ///   ``StoreError/Code/invalidValue`` if a stored value cannot be one of the type,
    ///   ``RecordPredicateError`` if the predicate cannot be used, `DatabaseError`.
    public func fetch<Record>(_ request: EntityRequest<Record>) throws -> [Record] {
        try fetch(request, among: nil)
    }

    /// Returns the records that a request selects among some rows, or all.
    func fetch<Record>(
        _ request: EntityRequest<Record>,
        among rows: ArraySlice<Int64>?
    ) throws -> [Record] {
        let binding = try layout.binding(of: Record.self)
        let sql = try RequestSQL(request.record, among: rows, in: layout).select(binding.columns)
        let names = PropertyNames(binding)
        var records: [Record] = []
        try forEachRow(of: sql) { statement in
            records.append(try Record.read(statement, names: names))
        }
        try load(request.inclusions, into: &records)
        return records
    }

    /// Returns the first record that a request selects; nil without one.
    ///
    /// ```swift
    /// let oldest = try store.read { reader in
    ///     try reader.first(User.sorted(by: \.age, .descending))
    /// }
    /// ```
    ///
    /// - Parameter request: The request.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)->[Record]``.
    public func first<Record>(_ request: EntityRequest<Record>) throws -> Record? {
        try fetch(request.first).first
    }

    /// Returns the record of a row; nil if it does not exist.
    ///
    /// - Parameter row: The identity of the row.
    /// - Returns: The record.
    /// - Throws: As ``fetch(_:)->[Record]``.
    public func fetch<Record>(_ row: RowID<Record>) throws -> Record? {
        try fetch(Record.filter { _ in RowExpression(.row) == row }).first
    }

    /// Returns the record with a primary key; nil if it is not stored.
    ///
    /// ```swift
    /// let ada = try store.read { reader in try reader.fetch(User.self, key: 6) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - key: The primary key: one value, or as many as the key has parts.
    /// - Returns: The record.
    /// - Throws: ``StoreError/Code/invalidLocator`` if the primary key has another number of parts;
    ///   otherwise as ``fetch(_:)->[Record]``.
    public func fetch<Record: EntityRecord>(
        _ type: Record.Type,
        key: any AttributeValue...
    ) throws -> Record? {
        try fetch(type, key: key)
    }

    /// Returns the record with a primary key; nil if it is not stored.
    func fetch<Record: EntityRecord>(
        _ type: Record.Type,
        key: [any AttributeValue]
    ) throws -> Record? {
        let locator = RecordLocator(
            type.entityName,
            key: RecordKey(key.map(\.attributeValue))
        )
        guard let row = try rowNumber(for: locator) else { return nil }
        return try fetch(RowID<Record>(row))
    }

    /// Calls a closure with each record that a request selects, in the order of the request.
    ///
    /// Use it for many rows: no more than 1,000 records are in memory at a time.
    ///
    /// ```swift
    /// try store.read { reader in
    ///     try reader.forEach(User.including(\.notes)) { user in
    ///         print(user.name, user.notes.count ?? 0)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Called with each record.
    /// - Throws: As ``fetch(_:)->[Record]``, and errors that `body` throws.
    public func forEach<Record>(
        _ request: EntityRequest<Record>,
        body: (Record) throws -> Void
    ) throws {
        // The closure may write: the rows are those that the request selects before.
        let numbers = try rowNumbers(request.record)
        var whole = Record.all
        whole.inclusions = request.inclusions
        for batch in numbers.batches(of: 1_000) {
            let records = try fetch(whole, among: batch)
            let known = Dictionary(uniqueKeysWithValues: records.map { ($0.rowID.number, $0) })
            for number in batch {
                if let record = known[number] { try body(record) }
            }
        }
    }

    /// Returns the identities of the rows that a request selects.
    ///
    /// - Parameter request: The request.
    /// - Returns: The identities, in the order of the request.
    /// - Throws: As ``fetch(_:)->[Record]``.
    public func rowIDs<Record>(_ request: EntityRequest<Record>) throws -> [RowID<Record>] {
        try rowNumbers(request.record).map { RowID($0) }
    }

    private func rowNumbers(_ request: RecordRequest) throws -> [Int64] {
        var numbers: [Int64] = []
        try forEachRow(of: RequestSQL(request, in: layout).select()) { statement in
            numbers.append(statement.integer(at: 0))
        }
        return numbers
    }

    /// Returns the number of rows that a request selects.
    ///
    /// - Parameter request: The request. Its limit and offset apply to the count.
    /// - Returns: The number of rows.
    /// - Throws: ``RecordPredicateError`` if the predicate cannot be used, `DatabaseError`.
    public func count<Record>(_ request: EntityRequest<Record>) throws -> Int {
        try count(request.record)
    }

    /// Returns whether a request selects any row.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether there is such a row.
    /// - Throws: ``RecordPredicateError`` if the predicate cannot be used, `DatabaseError`.
    public func contains<Record>(_ request: EntityRequest<Record>) throws -> Bool {
        try !rowNumbers(request.first.record).isEmpty
    }

    /// Loads a relationship of records that were fetched without it.
    ///
    /// ```swift
    /// var users = try store.read { reader in try reader.fetch(User.all) }
    /// try store.read { reader in try reader.load(User.including(\.notes), into: &users) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: What is loaded: the inclusions of the request. The rest of it has no effect.
    ///   - records: The records.
    /// - Throws: As ``fetch(_:)->[Record]``.
    public func load<Record>(
        _ request: EntityRequest<Record>,
        into records: inout [Record]
    ) throws {
        try load(request.inclusions, into: &records)
    }

    /// Returns whether an entity is that of a record type, or inherits from it.
    package func isEntity(_ name: String, of type: any EntityRecord.Type) throws -> Bool {
        let (entity, own) = (try layout.entity(name), try layout.entity(type.entityName))
        return entity.table == own.table && own.family?.contains(name) ?? true
    }

    // MARK: Rows

    func load<Record>(_ inclusions: [Inclusion<Record>], into records: inout [Record]) throws {
        guard !records.isEmpty else { return }
        for inclusion in inclusions { try inclusion.load(self, &records) }
    }

    /// Calls a closure, which must not use the reader, with each row of a statement.
    func forEachRow(of sql: SQLText, body: (RowStatement) throws -> Void) throws {
        try prepareQueries()
        // GRDB would not see which tables the statement reads.
        try db.registerAccess(to: SQLRequest<Row>(sql: sql.text, arguments: sql.bindings))
        let statement = try statement(sql.text)
        try ValueArena.lasting { arena in
            for (index, value) in sql.arguments.enumerated() {
                statement.bind(value.stored(in: arena), at: index + 1)
            }
            defer { statement.reset() }
            while try statement.step() { try body(statement) }
        }
    }
}
