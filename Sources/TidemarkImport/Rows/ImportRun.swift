import GRDB
import TidemarkModel
import TidemarkStore

/// One transaction of an import.
///
/// The import of an object has five steps (`+Tasks`): its members are read into a frame
/// (`+Members`); references and the objects of to-one relationships are resolved to row numbers
/// (`+ToOne`); the row is found, compared and written (`+Object`); and to-many lists are imported
/// (`+ToMany`). After all items, the rows that the document does not contain are deleted
/// (`+Sweep`).
final class ImportRun {
    let store: Store
    let writer: StoreWriter
    let plans: ImportPlans
    let hooks: ImportHooks
    let options: ImportOptions
    let limits: Limits

    /// Records which values the documents contain, for a verification.
    let coverage: StoreCoverage?

    let log: DiagnosticLog

    /// The items that are retried after the document has been read.
    let postponement: RetryQueue

    /// The rows that failed because of unique values, while conflicts are being resolved.
    var claims: UniqueConflicts?

    /// The memory of converted values.
    ///
    /// It is reset after each item.
    let arena = ValueArena()

    /// The number of objects whose members have been read.
    ///
    /// It identifies the current object.
    var readings = 0

    /// The key parts of the reference that is being resolved.
    let keyParts: UnsafeMutablePointer<StoredValue>

    /// The primary key of the most recently imported object, if its row was rejected; otherwise
    /// empty.
    ///
    /// The object that contains it gets an unresolved reference to this key.
    var refusedKey: [StoredValue] = []

    /// Whether the most recently imported object has no usable key, so that it may be any row.
    var isNameless = false

    /// The tables for which the document has such an object: none of their rows is known to be
    /// deleted.
    var namelessTables: Set<Int> = []

    /// The rows that the document has contained so far, by table.
    var seen: [Int: RowSet] = [:]

    /// The rows that were first seen in this transaction, by table.
    var counted: [Int: RowSet] = [:]

    /// The number of rows in ``counted``.
    private(set) var countedRows = 0

    /// The rows seen in this transaction that had been seen before, by table.
    var namedAgain: [Int: RowSet] = [:]

    /// The rows that must not be changed or whose changes were rejected, by table.
    ///
    /// They are not counted as unchanged.
    var untouched: [Int: RowSet] = [:]

    /// The children that were removed from a list of their parent, by relationship.
    ///
    /// They are deleted at the end unless the document contains them elsewhere, or in such a list
    /// again.
    var leftOut: [String: RowSet] = [:]

    /// The rows that the document does not contain, by table.
    var stale: [Int: [Int64]] = [:]

    /// The rows of which only links have changed, by table.
    var relinked: [Int: RowSet] = [:]

    /// The rows of the document's own items, to detect repeated items, by table.
    var items: [Int: RowSet] = [:]

    /// The rows of the session's items in earlier transactions, by table.
    var itemsBefore: [Int: RowSet] = [:]

    /// The number of items whose rows are in ``itemsBefore``.
    var repeatedItems = 0

    /// The number of items without a row.
    var unknownItems = 0

    /// The rows whose objects the service reported as deleted, by table.
    var gone: [Int: RowSet] = [:]

    /// The rows whose deletion awaits approval in the session, by table.
    var pending: [Int: RowSet] = [:]

    /// Whether that deletion was rejected.
    var isDeletionRejected = false

    /// The rows seen in all lists of a resource that has one list for each parent; nil for any
    /// other resource.
    var gathering: SeenRows?

    /// The entities whose rows are inserted only by their own lists, including entities that
    /// inherit from them.
    var listed: Set<Int> = []

    /// The number of embedded objects of such entities that have no row.
    var unlistedObjects = 0

    /// The highest row numbers when the session's list was requested, by table.
    var highest: [Int: Int64] = [:]

    /// The rows that were moved to another entity, by their previous entity.
    var retyped: [Int: RowSet] = [:]

    /// The numbers of deleted rows, by entity.
    var deleted: [String: Int] = [:]

    /// Unused lists of members.
    var freeMemberships: [ListMembers] = []

    /// The objects that are being imported, each nested in the previous one, followed by unused
    /// tasks.
    var tasks: [ObjectTask] = []

    /// The number of objects that are being imported.
    var depth = 0

    /// The row of the most recently imported object; nil if it has none.
    var importedRow: Int64?

    /// The import of each entity, created when it is first used.
    ///
    /// Plain memory, because an exclusivity check for each access would cost time with every
    /// object.
    private let entities: UnsafeMutablePointer<EntityImport?>

    init(
        _ db: Database,
        _ importer: Importer,
        _ options: ImportOptions,
        postponing postponement: RetryQueue
    ) throws {
        let store = importer.store
        self.store = store
        writer = try StoreWriter.prepare(db, in: store)
        plans = importer.plans
        hooks = importer.hooks
        self.options = options
        limits = importer.limits
        coverage = importer.coverage
        self.postponement = postponement
        log = DiagnosticLog(importer.limits)
        entities = .allocate(capacity: store.layout.entities.count)
        entities.initialize(repeating: nil, count: store.layout.entities.count)
        let longestKey = store.layout.entities.map(\.keyParts.count).max() ?? 0
        keyParts = .allocate(capacity: max(1, longestKey))
        keyParts.initialize(repeating: .null, count: max(1, longestKey))
    }

    deinit {
        keyParts.deallocate()
        entities.deinitialize(count: store.layout.entities.count)
        entities.deallocate()
    }

    var reader: StoreReader { writer }
    var layout: StoreLayout { writer.layout }

    /// Returns the import of the entity at an index of the layout.
    func entity(_ index: Int) throws -> EntityImport {
        if let entity = entities[index] { return entity }
        let table = layout.entities[index].table
        let entity = EntityImport(
            try plans.plan(index),
            writer,
            seen: marks(\.seen, in: table),
            counted: marks(\.counted, in: table),
            namedAgain: marks(\.namedAgain, in: table),
            items: marks(\.items, in: table),
            itemsBefore: marks(\.itemsBefore, in: table),
            relinked: marks(\.relinked, in: table)
        )
        entities[index] = entity
        return entity
    }

    /// Returns a set of rows of a table, and creates it if necessary.
    func marks(
        _ sets: ReferenceWritableKeyPath<ImportRun, [Int: RowSet]>,
        in table: Int
    ) -> RowSet {
        if let set = self[keyPath: sets][table] { return set }
        let set = RowSet()
        self[keyPath: sets][table] = set
        return set
    }

    /// Returns the children that were removed from lists of a relationship.
    func leftOut(of relationship: String) -> RowSet {
        if let rows = leftOut[relationship] { return rows }
        let rows = RowSet()
        leftOut[relationship] = rows
        return rows
    }

    /// Marks rows of a table as seen without importing their objects.
    func mark(_ numbers: some Sequence<Int64>, in table: Int) {
        let seen = marks(\.seen, in: table)
        let counted = marks(\.counted, in: table)
        let namedAgain = marks(\.namedAgain, in: table)
        for number in numbers {
            if seen.insert(number) {
                counted.insert(number)
                countedRows += 1
            } else {
                namedAgain.insert(number)
            }
        }
    }

    /// Marks a row as seen.
    ///
    /// - Parameters:
    ///   - number: The row number.
    ///   - entity: The entity of the row.
    ///   - isCounted: Whether the row is counted as unchanged if nothing else happens to it.
    func mark(_ number: Int64, _ entity: EntityImport, isCounted: Bool) {
        if entity.seen.insert(number) {
            entity.counted.insert(number)
            countedRows += 1
        } else {
            entity.namedAgain.insert(number)
        }
        if !isCounted {
            marks(\.untouched, in: entity.plan.entity.table).insert(number)
        }
    }
}
