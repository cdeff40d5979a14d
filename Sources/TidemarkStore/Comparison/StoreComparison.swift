import GRDB
import TidemarkModel

/// A comparison of two stores of one layout, row by row.
///
/// Join tables are compared first: a row whose pairs differ is different, even if its columns are
/// equal.
struct StoreComparison {
    private let here: StoreReader
    private let there: StoreReader
    private let coverage: StoreCoverage?
    private let limit: Int

    /// The relationships whose links each join table stores.
    private let joined: [[RelationshipLayout]]

    private var layout: StoreLayout { here.layout }

    init(
        of here: StoreReader,
        and there: StoreReader,
        coveredBy coverage: StoreCoverage?,
        limit: Int
    ) {
        self.here = here
        self.there = there
        self.coverage = coverage
        self.limit = limit
        let relationships = here.layout.relationships.values
        joined = here.layout.joins.indices.map { join in
            relationships.filter { $0.storage.join?.join == join }
        }
    }

    /// Compares the stores.
    ///
    /// - Parameter isSeparate: Whether a difference is reported apart.
    /// - Returns: The differences.
    /// - Throws: `DatabaseError`.
    func run(
        separating isSeparate: (Int64, _ table: Int, _ isMissing: Bool) -> Bool
    ) throws -> SeparatedDifferences {
        let pairs = try layout.joins.indices.map(differingPairs)
        var differences = SeparatedDifferences()
        for table in layout.tables.indices {
            try compare(table: table, pairs: pairs) { number, isMissing, body in
                let part =
                    isSeparate(number, table, isMissing)
                    ? \SeparatedDifferences.separate : \.others
                try body(&differences[keyPath: part])
            }
        }
        return differences
    }

    // MARK: Pairs

    /// The rows at both ends of the differing pairs of a join table.
    private struct Relinked {
        let owners = RowSet()
        let members = RowSet()

        func contains(_ row: Int64, on side: JoinSide) -> Bool {
            switch side {
            case .owner: owners.contains(row)
            case .member: members.contains(row)
            case .either: owners.contains(row) || members.contains(row)
            }
        }
    }

    private func differingPairs(_ join: Int) throws -> Relinked {
        let name = layout.joins[join].name.quotedDatabaseIdentifier
        let relinked = Relinked()
        // Not the row number of a pair: it changes when the pair is removed and added again.
        let pairs = "SELECT owner, member, position, inversePosition FROM \(name)"
        try merge("\(pairs) ORDER BY owner, member", keys: ["owner", "member"]) {
            guard let pair = $0 ?? $1 else { return }
            let isMissing =
                coverage?.isMissing(joined[join], owner: pair["owner"], member: pair["member"])
                ?? false
            guard $0 != $1 || isMissing else { return }
            relinked.owners.insert(pair["owner"])
            relinked.members.insert(pair["member"])
        }
        return relinked
    }

    // MARK: Rows

    private func compare(
        table: Int,
        pairs: [Relinked],
        report: (
            _ row: Int64,
            _ isMissing: Bool,
            _ body: (inout StoreDifferences) throws -> Void
        ) throws -> Void
    ) throws {
        let joined = layout.entities.filter { $0.table == table }.flatMap(\.relationships)
            .compactMap { $0.storage.join }
        try merge("SELECT * FROM \(layout.name(of: table)) ORDER BY _id", keys: ["_id"]) {
            guard let row = $0 ?? $1 else { return }
            let number: Int64 = row["_id"]
            let isRelinked = joined.contains { pairs[$0.join].contains(number, on: $0.side) }
            // Equal rows differ only if they have a value that no document contained.
            guard isRelinked || $0 != $1 || coverage != nil else { return }
            let entity = try layout.entity(row["_entity"] ?? layout.tables[table].name)
            let missing = missing(of: entity, number: number, here: $0, there: $1)
            guard isRelinked || $0 != $1 || !missing.isEmpty else { return }
            let (here, there) = ($0, $1)
            try report(number, here == nil) { differences in
                differences.count(
                    entity.name,
                    as: here == nil ? \.onlyOther : there == nil ? \.onlyStored : \.differing
                )
                guard differences.rows.count < limit else { return }
                differences.add(
                    RowDifference(
                        row: RowReference(entity.name, number),
                        key: try self.here.key(of: number, entity)
                            ?? self.there.key(of: number, entity),
                        stored: try self.here.record(number, of: entity),
                        other: try self.there.record(number, of: entity).map { record in
                            self.record(record, without: missing, of: entity)
                        },
                        properties: properties(
                            of: entity,
                            number: number,
                            here: here,
                            there: there,
                            pairs: pairs,
                            missing: missing
                        )
                    )
                )
            }
        }
    }

    // MARK: Values that no document contained

    /// Returns the values of a new row for columns that no document contained, where the row has
    /// other values.
    private func missing(
        of entity: EntityLayout,
        number: Int64,
        here row: Row?,
        there other: Row?
    ) -> [Int: Value] {
        guard let coverage, let row, let other else { return [:] }
        let columns = layout.tables[entity.table].columns
        return coverage.missing(of: number, entity) { other[columns[$0].name] }
            .filter { column, value in row.value(columns[column].name) != value.databaseValue }
    }

    /// Returns a row as the service has it, without the values and links that no document
    /// contained.
    private func record(
        _ record: StoredRecord,
        without missing: [Int: Value],
        of entity: EntityLayout
    ) -> StoredRecord {
        guard let coverage else { return record }
        var (values, links) = (record.values, record.links)
        for attribute in entity.attributes {
            if let value = missing[attribute.column] { values[attribute.attribute.name] = value }
        }
        for relationship in entity.relationships {
            let name = relationship.relationship.name
            switch relationship.storage {
            case .column(let column):
                if missing[column] != nil { links[name] = [] }
            case .inverse:
                continue
            case .join(let join, let side):
                links[name]?.removeAll { other in
                    let pair = side.pair(of: record.reference.number, with: other.number)
                    return coverage.isMissing(joined[join], owner: pair.owner, member: pair.member)
                }
            }
        }
        return StoredRecord(reference: record.reference, values: values, links: links)
    }

    /// Returns the names of the differing properties of a row.
    ///
    /// A link and its position in a list are reported at the row that stores them.
    private func properties(
        of entity: EntityLayout,
        number: Int64,
        here row: Row?,
        there other: Row?,
        pairs: [Relinked],
        missing: [Int: Value]
    ) -> [String] {
        guard let row, let other else { return [] }
        let columns = layout.tables[entity.table].columns
        let changed = Set(
            columns.indices.filter { row.value(columns[$0].name) != other.value(columns[$0].name) }
                .map {
                    // A position belongs to the reference whose list it orders.
                    if case .position(let column) = columns[$0].content { column } else { $0 }
                } + missing.keys
        )
        let attributes = entity.attributes.filter { changed.contains($0.column) }
        let relationships = entity.relationships.filter {
            switch $0.storage {
            case .column(let column): changed.contains(column)
            case .inverse: false
            case .join(let join, let side): pairs[join].contains(number, on: side)
            }
        }
        return attributes.map(\.attribute.name) + relationships.map(\.relationship.name)
    }

    // MARK: Reading

    /// Merges the sorted results of a query over both stores: rows with the same key are passed
    /// together, others with nil for the store that lacks them.
    private func merge(
        _ sql: String,
        keys: [String],
        body: (_ here: Row?, _ there: Row?) throws -> Void
    ) throws {
        // Two cursors, as the stores are on different connections and may not fit in memory.
        let (mine, others) = (
            try Row.fetchCursor(here.db, sql: sql), try Row.fetchCursor(there.db, sql: sql)
        )
        var row = try mine.next()
        var other = try others.next()
        while row != nil || other != nil {
            let order = Self.order(of: row, and: other, keys: keys)
            try body(order <= 0 ? row : nil, order >= 0 ? other : nil)
            if order <= 0 { row = try mine.next() }
            if order >= 0 { other = try others.next() }
        }
    }

    /// Returns a negative number if the first row comes before the second, a positive one if it
    /// comes after it, and zero if their keys are equal.
    ///
    /// A missing row comes last.
    private static func order(of row: Row?, and other: Row?, keys: [String]) -> Int {
        guard let row else { return 1 }
        guard let other else { return -1 }
        for key in keys {
            let (number, another): (Int64, Int64) = (row[key], other[key])
            if number != another { return number < another ? -1 : 1 }
        }
        return 0
    }
}

extension RelationshipStorage {
    /// The join table that stores the links, and its column for the row itself; nil for other
    /// storage.
    fileprivate var join: (join: Int, side: JoinSide)? {
        switch self {
        case .column, .inverse: nil
        case .join(let join, let side): (join, side)
        }
    }
}

extension Row {
    fileprivate func value(_ column: String) -> DatabaseValue { self[column] }
}
