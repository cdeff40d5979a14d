import GRDB
import TidemarkModel
import TidemarkStore

/// The state of one transaction of an import.
///
/// ``ItemImport`` takes the items of a document one by one. Each object, with the objects nested in
/// it, is an ``ObjectImport``: it reads its members into an ``ObjectFrame``, resolves references,
/// and finds, compares and writes its row. What happened to rows is recorded in a
/// ``TableProgress`` for each table, from which the deletions and the report follow.
final class ImportRun {
    let importer: Importer
    let options: ImportOptions
    let writer: StoreWriter

    /// The items that are retried after the document has been read.
    let retries: RetryQueue

    /// The memory of converted values.
    ///
    /// It is reset after each item.
    let arena: ValueArena

    /// Merges objects into rows with local changes; nil if no row has any.
    private(set) var resolver: ConflictResolver?

    /// What the other lists of a service decide about the objects of this one.
    var otherLists = OtherLists()

    /// The relationships whose to-many lists are imported of an object whose context says so, by
    /// index.
    ///
    /// Not a part of the context: that is copied with each object, and a set would be retained.
    var chosenLists: Set<Int> = []

    /// What became of rows that the document does not contain.
    var unlisted = UnlistedRows()

    /// What the run may have in common with others of its transaction.
    let shared: SharedImport

    /// The progress of each table, created when it is first used.
    private var tables: [TableProgress?]

    /// The import of each entity, created when it is first used.
    ///
    /// Plain memory, because an exclusivity check for each access would cost time with every
    /// object.
    private let entities: UnsafeMutablePointer<EntityImport?>

    init(
        _ db: Database,
        importer: Importer,
        options: ImportOptions,
        retries: RetryQueue,
        sharing shared: SharedImport? = nil,
        from source: ObjectSource = .list
    ) throws {
        self.importer = importer
        self.options = options
        self.retries = retries
        writer = try shared.map { .sharing($0.reader) } ?? .prepare(db, in: importer.store)
        self.shared = shared ?? SharedImport(writer, limits: importer.limits)
        arena = self.shared.takeArena()
        let layout = importer.store.layout
        tables = Array(repeating: nil, count: layout.tables.count)
        entities = .allocate(capacity: layout.entities.count)
        entities.initialize(repeating: nil, count: layout.entities.count)
        guard options.origin == .service,
            let unpushed = try shared?.unreadRows() ?? UnpushedRows.read(db, layout)
        else { return }
        resolver = ConflictResolver(
            unpushed,
            keys: self.shared.serviceKeys(of: unpushed),
            policies: importer.conflicts.inherited(in: layout.model),
            log: ConflictLog(db: db),
            time: importer.now?(),
            source: source,
            defaults: self.shared.defaults
        )
        writer.linkConflicts = resolver
    }

    deinit {
        shared.giveBack(arena)
        entities.deinitialize(count: importer.store.layout.entities.count)
        entities.deallocate()
    }

    /// Lets the forms of values be recorded, for the requests of a push.
    func recordForms() { shared.recordsForms = true }

    var reader: StoreReader { writer }
    var log: DiagnosticLog { shared.log }
    var layout: StoreLayout { writer.layout }

    /// Returns the import of the entity at an index of the layout.
    func entity(_ index: Int) throws -> EntityImport {
        if let entity = entities[index] { return entity }
        let plan = try importer.plans.plan(index)
        // A hook runs code of the app between the items.
        let rows = EntityRows(
            plan,
            rules: shared.rules(of: plan),
            writer: writer,
            isAlone: importer.hooks.willImport == nil,
            serviceKeys: resolver?.keys
        )
        let entity = EntityImport(
            plan,
            names: shared.names(of: plan),
            progress: table(plan.entity.table),
            rows: rows
        )
        entities[index] = entity
        return entity
    }

    /// Returns the import of the entity with a name.
    func entity(named name: String) throws -> EntityImport {
        try entity(layout.index(ofEntity: name))
    }

    /// Returns the import of the entity that a relationship leads to.
    func destination(of relationship: RelationshipPlan) throws -> EntityImport {
        try entity(relationship.layout.destination)
    }

    // MARK: Rows

    /// Returns the progress of the table at an index of the layout.
    func table(_ index: Int) -> TableProgress {
        if let table = tables[index] { return table }
        let table = TableProgress()
        tables[index] = table
        return table
    }

    /// Returns the progress of a table; nil if the import has not used it.
    func progress(ofTable index: Int) -> TableProgress? { tables[index] }

    /// The progress of the tables that the import has used so far, with their indexes.
    var usedTables: [(index: Int, progress: TableProgress)] {
        tables.enumerated().compactMap { index, table in table.map { (index, $0) } }
    }

    /// The names of members that the document's objects have, and the forms of their values, by
    /// entity.
    var observedNames: [String: ObservedNames] {
        let used = layout.entities.indices.compactMap { entities[$0] }
        return Dictionary(
            used.map { ($0.name, $0.names.observed) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The number of rows that were first seen in this transaction.
    var seenRowCount: Int { tables.reduce(0) { $0 + ($1?.firstSeen.count ?? 0) } }

    /// Records that children were removed from the list of a relationship.
    func recordRemoved(_ rows: [Int64], from relationship: RelationshipLayout) {
        let removed = unlisted.children[relationship.identifier] ?? RowSet()
        for row in rows { removed.insert(row) }
        unlisted.children[relationship.identifier] = removed
    }

    /// Deletes the rows of a graph.
    func delete(_ graph: DeleteGraph) throws {
        try resolver?.recordDeletions(graph.doomed, with: writer)
        let outcome = try writer.delete(graph, isRemembered: true)
        unlisted.deleted.merge(outcome.deleted, uniquingKeysWith: +)
        for denial in outcome.denials {
            let message =
                "The row is not deleted: \(denial.relationship) has the delete rule deny."
            log.record(message, entity: denial.table) { ("#\(denial.row)", nil) }
        }
    }
}

/// What the other lists of a service decide about the objects of an imported list.
struct OtherLists {
    /// The rows seen in all lists of a resource that has one list for each parent; nil for any
    /// other resource.
    var gathered: SeenRows?

    /// The entities whose rows are inserted only by their own lists, including entities that
    /// inherit from them.
    var entities: Set<Int> = []

    /// The number of embedded objects of such entities that have no row.
    var unstoredObjects = 0
}

/// What an import has done with rows that its document does not contain.
struct UnlistedRows {
    /// The children that were removed from a list of their parent, by relationship.
    ///
    /// They are deleted at the end unless the document contains them elsewhere, or in such a list
    /// again.
    var children: [String: RowSet] = [:]

    /// The numbers of deleted rows, by entity.
    var deleted: [String: Int] = [:]

    /// The number of rows that are kept because the options name no operations; nil otherwise.
    var kept: Int?
}
