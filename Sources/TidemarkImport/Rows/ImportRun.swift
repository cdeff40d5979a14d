import GRDB
import TidemarkModel
import TidemarkStore

/// The work of one transaction of an import.
///
/// An object goes through it in five steps (`+Tasks`): its members are read into a frame
/// (`+Members`), references and objects of to-one relationships become row numbers (`+ToOne`), the
/// row is found, compared and written (`+Object`), to-many lists are followed (`+ToMany`), and when
/// all items are done what the document left out is deleted (`+Sweep`).
final class ImportRun {
    let store: Store
    let writer: StoreWriter
    let plans: ImportPlans
    let hooks: ImportHooks
    let options: ImportOptions
    let limits: Limits

    /// Where the values that the documents contain are recorded, for a verification.
    let coverage: StoreCoverage?

    let log: DiagnosticLog

    /// The items that are tried again when the document has been read.
    let postponement: RetryQueue

    /// Who wants which unique values, while that is found out.
    var claims: UniqueConflicts?

    /// Room for converted values, until the item is done.
    let arena = ValueArena()

    /// How many times the members of an object have been read, which distinguishes the objects.
    var readings = 0

    /// The parts of the key of the reference that is being followed.
    let keyParts: UnsafeMutablePointer<StoredValue>

    /// The key of the object that was imported last, when its row was refused; else empty.
    ///
    /// Who contains it refers to a row that is not here.
    var refusedKey: [StoredValue] = []

    /// Whether the object that was imported last may be any row, as it has no usable key.
    var isNameless = false

    /// The tables of which the document has such an object: none of their rows is known to be gone.
    var namelessTables: Set<Int> = []

    /// The rows the document has named so far, by table.
    var seen: [Int: RowSet] = [:]

    /// The rows that this transaction was the first to name, by table.
    var counted: [Int: RowSet] = [:]

    /// How many rows that are.
    private(set) var countedRows = 0

    /// Rows that this transaction has named, and one before it or itself already had, by table.
    var namedAgain: [Int: RowSet] = [:]

    /// Rows that may not be touched or whose changes were refused, by table.
    var untouched: [Int: RowSet] = [:]

    /// Children that left a list of their parent, by its relationship: deleted in the end unless
    /// they are named elsewhere, or in such a list again.
    var leftOut: [String: RowSet] = [:]

    /// Rows that the document did not name, by table.
    var stale: [Int: [Int64]] = [:]

    /// Rows of which only links were changed, by table.
    var relinked: [Int: RowSet] = [:]

    /// The rows that items of the document itself have named, to notice repetitions, by table.
    var items: [Int: RowSet] = [:]

    /// The rows that items of the walk have named in the transactions before, by table.
    var itemsBefore: [Int: RowSet] = [:]

    /// How many items have named one of those again.
    var repeatedItems = 0

    /// How many items have no row.
    var unknownItems = 0

    /// Rows whose objects the service reported as deleted, by table.
    var gone: [Int: RowSet] = [:]

    /// Rows whose deletion awaits approval in the session, by table.
    var pending: [Int: RowSet] = [:]

    /// Whether that deletion was rejected.
    var isDeletionRejected = false

    /// What the lists of a resource with several of them have named; nil for any other resource.
    var gathering: SeenRows?

    /// The entities whose rows are created by lists of their own only, those that inherit included.
    var listed: Set<Int> = []

    /// How many objects of such entities, embedded in others, have no row.
    var unlistedObjects = 0

    /// The highest row numbers when the session's list was requested, by table.
    var highest: [Int: Int64] = [:]

    /// Rows that became another entity's, by the entity they were of before.
    var retyped: [Int: RowSet] = [:]

    /// What was deleted, by entity.
    var deleted: [String: Int] = [:]

    /// Room for the rows that lists name, not in use.
    var freeMemberships: [ListMembers] = []

    /// The objects that are being imported, each nested in the one before it; behind them are tasks
    /// that are not in use.
    var tasks: [ObjectTask] = []

    /// How many objects are being imported.
    var depth = 0

    /// The row of the object that was imported last; nil when it has none.
    var importedRow: Int64?

    /// How the objects of each entity are imported, once that was asked for.
    private let entities: UnsafeMutablePointer<EntityImport?>

    init(
        _ db: Database,
        _ importer: Importer,
        _ options: ImportOptions,
        postponing postponement: RetryQueue
    ) throws {
        let store = importer.store
        self.store = store
        writer = try StoreWriter(db, store)
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

    var reader: StoreReader { writer.reader }
    var layout: StoreLayout { writer.layout }

    /// How the objects of an entity are imported.
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

    /// A set of rows of a table, made when it is first asked for.
    func marks(
        _ sets: ReferenceWritableKeyPath<ImportRun, [Int: RowSet]>,
        in table: Int
    ) -> RowSet {
        if let set = self[keyPath: sets][table] { return set }
        let set = RowSet()
        self[keyPath: sets][table] = set
        return set
    }

    /// The children that left lists of a relationship, made when they are first asked for.
    func leftOut(of relationship: String) -> RowSet {
        if let rows = leftOut[relationship] { return rows }
        let rows = RowSet()
        leftOut[relationship] = rows
        return rows
    }

    /// Notes that the document names rows of a table, without their objects.
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

    /// Notes that the document names a row; rows that may not be touched are not told of.
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
