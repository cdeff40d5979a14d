import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The list of one parent's children, one of the lists of a resource.
struct ChildList: Sendable {
    /// The resource, with the parent's key in its path.
    var resource: RemoteResource

    /// The parent.
    var parent: ListParent

    /// The identifier of the traversal: one read of the lists of all parents.
    var traversal: String
}

extension ChildList? {
    /// The rows that the list decides about; for the list of an entity, all of its rows.
    var scope: SessionScope { map { .children(of: $0.parent) } ?? .entity }
}

/// The stored parents of a resource, in the order of their keys.
///
/// They are read in pages.
struct ParentRows {
    private let nested: ResourceOrder.Nested
    private let layout: StoreLayout
    private let parent: EntityLayout

    /// The key columns of the last row that was read.
    private var last: [DatabaseValue]?
    private var page: [Row].Iterator = [].makeIterator()
    private var isAtEnd = false

    /// A parent.
    struct Row: Sendable {
        /// The row number.
        var number: Int64

        /// The resource of its children; nil if its key cannot be part of a path.
        var resource: RemoteResource?

        /// The key as text.
        var key: String
    }

    /// The number of parents that are in memory at a time.
    private static let pageSize = 500

    init(of nested: ResourceOrder.Nested, in layout: StoreLayout) throws {
        self.nested = nested
        self.layout = layout
        parent = try layout.entity(nested.path.parent)
    }

    /// The quoted name of the parents' table.
    var table: String { layout.tables[parent.table].name.quotedDatabaseIdentifier }

    /// The relationship from a child to its parent.
    var relationship: RelationshipLayout? {
        get throws {
            try layout.entity(nested.resource.entity).relationship(nested.path.relationship)
        }
    }

    /// Returns the next parent; nil after the last.
    mutating func next(in store: Store) async throws -> Row? {
        while true {
            if let row = page.next() { return row }
            guard !isAtEnd else { return nil }
            let (rows, last) = try await store.writer.read { [self] db in try read(db, store) }
            isAtEnd = rows.count < Self.pageSize
            page = rows.makeIterator()
            self.last = last
        }
    }

    /// Returns the next page of parents, and the key of its last row.
    ///
    /// Paging by key keeps no read transaction open while lists are pulled.
    private func read(_ db: Database, _ store: Store) throws -> ([Row], [DatabaseValue]?) {
        let columns = parent.key.map {
            layout.tables[parent.table].columns[$0].name.quotedDatabaseIdentifier
        }
        let key = columns.joined(separator: ", ")
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        let isStored = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let found = try GRDB.Row.fetchAll(
            db,
            sql: """
                SELECT _id, \(key) FROM \(table) \
                WHERE \(isStored)\(last == nil ? "" : " AND (\(key)) > (\(parameters))")\
                \(parent.familyCondition) ORDER BY \(key) LIMIT \(Self.pageSize)
                """,
            arguments: StatementArguments(last ?? [])
        )
        let reader = try StoreReader.prepare(db, in: store)
        let rows = try found.map { row in
            let number: Int64 = row[0]
            let key = try reader.knownKey(ofRow: number, parent).map { RecordKey($0) }
            let values = key.map { key in nested.path.parts.map { key.parts[$0] } } ?? []
            return Row(
                number: number,
                resource: nested.resource.filled(with: values.map { RecordKey([$0]).text }),
                key: key?.text ?? "#\(number)"
            )
        }
        let end = found.last.map { row in columns.indices.map { row[$0 + 1] as DatabaseValue } }
        return (rows, end ?? last)
    }
}
