import GRDB
import TidemarkModel
import TidemarkStore

/// What the merges of objects in one transaction share, so that it is made once.
///
/// A push merges the objects of many responses, each of which is an import of its own.
final class SharedImport {
    /// The reader whose prepared statements are used.
    let reader: StoreReader

    /// The log in which unknown names are counted.
    let log: DiagnosticLog

    /// What new objects have at the service without having been sent it.
    let defaults = ObservedDefaults()

    /// The rows with local changes, which each merge looks up.
    private lazy var unpushed = UnpushedRows.lookingUp(reader.db, reader.layout)

    /// Whether the forms of values are recorded.
    var recordsForms = false

    /// How the members of objects are named, by the index of the entity.
    private var names: [Int: MemberNames] = [:]

    init(_ reader: StoreReader, limits: Limits) {
        self.reader = reader
        log = DiagnosticLog(limits)
    }

    /// Returns the rows with local changes, of which nothing is read yet.
    func unreadRows() -> UnpushedRows {
        unpushed.forgetRows()
        return unpushed
    }

    private var serviceKeys: ServiceKeys?

    /// Returns the keys that the service has of rows whose keys were changed here, which are read
    /// once.
    func serviceKeys(of unpushed: UnpushedRows) -> ServiceKeys {
        if let serviceKeys { return serviceKeys }
        let keys = ServiceKeys(unpushed)
        serviceKeys = keys
        return keys
    }

    /// Returns the names of the members of an entity's objects.
    func names(of plan: ImportPlan) -> MemberNames {
        if let names = names[plan.index] { return names }
        let names = MemberNames(plan)
        if recordsForms { names.sample.recordForms() }
        self.names[plan.index] = names
        return names
    }

    /// What the model specifies about the values of rows, by the index of the entity.
    private var rules: [Int: RowRules] = [:]

    /// Returns what the model specifies about the values of an entity's rows.
    func rules(of plan: ImportPlan) -> RowRules {
        if let rules = rules[plan.index] { return rules }
        let rules = RowRules(plan)
        self.rules[plan.index] = rules
        return rules
    }

    /// Memory that no merge uses.
    private var arenas: [ValueArena] = []

    /// Returns empty memory for the values of a merge.
    func takeArena() -> ValueArena { arenas.popLast() ?? ValueArena() }

    /// Takes the memory of a merge that has ended.
    func giveBack(_ arena: ValueArena) {
        arena.reset()
        arenas.append(arena)
    }

    private var observedNames: [String: ObservedNames]?

    /// Returns the names of members that objects have had in lists, by entity.
    func listedNames(_ db: Database) throws -> [String: ObservedNames] {
        if let observedNames { return observedNames }
        let names = try ObservedNames.read(db)
        observedNames = names
        return names
    }

    /// Whether a list is being read by an import session.
    private(set) lazy var hasSessions = Result {
        try Bool.fetchOne(
            reader.db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_walk)")
        ) ?? false
    }
}
