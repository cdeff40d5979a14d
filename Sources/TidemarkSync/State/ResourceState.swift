import Foundation
import GRDB

/// What a store knows of one list of its service: how far it was read, and what came of it.
struct ResourceState: Equatable, Sendable {
    /// The path of the resource.
    var path: String

    /// The entity that its objects are.
    var entity: String

    /// How many times the store's model had changed when the list was read: with another model it
    /// has to be read anew.
    var generation: Int

    /// What tells the way its objects were read from others: in another way the list has to be read
    /// anew.
    var reading: String

    /// When a whole list was in the store for the first time.
    var firstFullSync: Date?

    /// From where the next changes are asked for.
    var cursor: String?

    /// What the service called the state of the whole list when it was read.
    var version: String?

    /// The latest change that any page of it has ever shown.
    var latest: String?

    /// When the whole list was last read to its end.
    var listRead: Date?

    /// The number of objects of the service and of rows in the store, if they still differed after
    /// the whole list was read; nil as long as they agree.
    var mismatch: CountMismatch?

    /// How the list continues, as a response of it has shown; nil where it is configured.
    var paging: StoredPaging?

    /// Why changes could not be requested, as long as they could not.
    var changesProblem: ChangesProblem?

    /// When it was pulled last.
    var lastAttempt: Date?

    /// When it was last pulled without a failure.
    var lastSuccess: Date?

    /// What came of the last pull.
    var outcome: String?

    /// Why it failed.
    var message: String?

    /// The walk that is not finished, if there is one.
    var walk: PullCheckpoint?

    /// The parent whose children the list has; nil for a list of an entity.
    var parent: Parent?

    /// What a list of one parent's children belongs to.
    struct Parent: Equatable, Sendable {
        /// The path of the resource, with the parent in braces.
        var resource: String

        /// The number of the parent's row.
        var row: Int64

        /// The traversal of the resource's lists in which this one was last read to its end.
        var traversal: String?
    }

    /// Begins with nothing.
    init(path: String, entity: String, generation: Int, reading: String) {
        self.path = path
        self.entity = entity
        self.generation = generation
        self.reading = reading
    }
}

/// How a list continues, as options of a configuration say it.
struct StoredPaging: Equatable, Sendable {
    /// How the next page is found.
    var pagination: String

    /// Where the number of all objects is.
    var total: String
}

/// A difference between the service's count and the number of rows that the whole list does not
/// explain: the service counts objects that cannot be stored, or that its list does not contain.
struct CountMismatch: Equatable, Sendable {
    /// How many objects the service has: as many as it counts, or as many as its list contains.
    var count: Int

    /// How many rows there were when the list had been read, those whose deletion was pending
    /// excluded.
    var rows: Int

    /// Whether a later count and number of rows differ by the same amount.
    func explains(count: Int, rows: Int) -> Bool {
        // A damaged store may hold any integers.
        count.subtractingReportingOverflow(rows)
            == self.count.subtractingReportingOverflow(self.rows)
    }
}

/// A list that is being read: how far, and what was noticed.
struct PullCheckpoint: Equatable, Sendable {
    /// What the list is read for.
    var leg: Leg

    /// What tells this walk from others of the resource.
    var run: String

    /// The URL of the page that is to be read next; nil for the first.
    var next: URL?

    /// The number of that page.
    var number = 1

    /// How many objects came before it.
    var before = 0

    /// How many objects have come, those that came twice once.
    var items = 0

    /// How many signs there were that objects moved between pages: those that came twice, and
    /// totals that differ.
    var drifts = 0

    /// How many have come whose rows are not here, in a list of keys.
    var unknown = 0

    /// How many there are, by the first page's word.
    var total: Int?

    /// The cursor that holds once the list was read to its end.
    var candidate: String?

    /// Whether later pages do not move the cursor on.
    var isHeld = false

    /// The latest change that any page had shown when the list was asked for.
    var settled: String?

    /// The digest of what an earlier reading named, which this one has to confirm.
    var expected: String?

    /// Whether a page of changes was asked for by its number.
    var isCounted = false

    /// Whether changes are read once more, because what is here may not add up with what the
    /// service counts.
    var isRecount = false

    /// What a list is read for.
    enum Leg: Equatable, Sendable {
        /// All objects.
        case list
        /// What has changed since a cursor.
        case changes(since: String)
        /// The keys of all objects.
        case keys
    }

    /// Begins a list.
    init(_ leg: Leg, run: String) {
        self.leg = leg
        self.run = run
    }

    /// Begins to read changes once more, behind those that were read to their end.
    init(recountSince cursor: String, run: String) {
        self.init(.changes(since: cursor), run: run)
        isRecount = true
    }

    /// The list before its first page was read.
    var beginning: PullCheckpoint {
        var walk = PullCheckpoint(leg, run: run)
        walk.expected = expected
        walk.isRecount = isRecount
        return walk
    }
}

extension PullCheckpoint.Leg {
    /// The word by which it is kept.
    var name: String {
        switch self {
        case .list: "list"
        case .changes: "changes"
        case .keys: "keys"
        }
    }

    /// The cursor it begins at.
    var since: String? {
        switch self {
        case .changes(let since): since
        case .list, .keys: nil
        }
    }

    /// Reads a leg as it is kept.
    init?(_ name: String?, since: String?) {
        switch (name, since) {
        case ("list"?, _): self = .list
        case ("keys"?, _): self = .keys
        case ("changes"?, let since?): self = .changes(since: since)
        default: return nil
        }
    }
}

extension PullCheckpoint {
    /// Whether it can be the place in a list: a row that somebody else has written may be none.
    fileprivate var isPossible: Bool {
        guard next != nil || number == 1 && before == 0 else { return false }
        return number >= 1 && min(before, items, drifts, unknown) >= 0
            && max(number, before, items, drifts, unknown) <= Int32.max
    }
}

extension ResourceState {
    /// Notes how a pull of the list has ended.
    mutating func note(_ report: SyncReport.ResourceReport, at now: Date) {
        lastAttempt = now
        if report.failure == nil { lastSuccess = now }
        outcome = report.ending.storedName
        message = report.failure.map { "\($0)" }
    }

    /// Whether the list was read in the same way.
    func isRead(like other: ResourceState) -> Bool {
        entity == other.entity && generation == other.generation && reading == other.reading
    }
}

// MARK: - In the store

extension SyncReport.Ending {
    /// The name by which an ending is stored: stores of earlier revisions contain these.
    var storedName: String { self == .inconsistent ? "drifted" : rawValue }

    /// The ending that a stored name denotes; nil where it denotes none.
    init?(storedName: String) {
        self.init(rawValue: storedName == "drifted" ? "inconsistent" : storedName)
    }
}

extension ResourceState {
    /// The state of a resource; nil when it was never pulled.
    static func of(_ path: String, _ db: Database) throws -> ResourceState? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM _tidemark_resource WHERE path = ?"),
            arguments: [path]
        )
        .map(ResourceState.init)
    }

    /// Whether a list was read completely at some time.
    static func isComplete(_ path: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT completed IS NOT NULL FROM _tidemark_resource WHERE path = ?"
        )
        return try Bool.fetchOne(statement, arguments: [path]) ?? false
    }

    /// The states of all resources that were ever pulled; of one with a list for each parent its
    /// own, and not those of the lists.
    static func all(_ db: Database) throws -> [ResourceState] {
        // A store of an earlier revision lacks the column that would say which these are.
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT * FROM _tidemark_resource ORDER BY path"
        )
        var states: [ResourceState] = []
        while let row = try rows.next() {
            let state = try ResourceState(row)
            if state.parent == nil { states.append(state) }
        }
        return states
    }

    /// The traversal in which the list of one parent's children was last read to its end; nil for
    /// a list that was not.
    static func traversal(of path: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT traversal FROM _tidemark_resource WHERE path = ?"),
            arguments: [path]
        )
    }

    /// The paths of the lists of a resource whose parents are not in a table any more.
    ///
    /// - Parameters:
    ///   - resource: The path of the resource, with the parent in braces.
    ///   - table: The quoted name of the parents' table.
    ///   - db: The connection.
    /// - Returns: The paths, with the keys of the parents filled in.
    /// - Throws: `DatabaseError`.
    static func pathsWithoutParent(
        _ resource: String,
        in table: String,
        _ db: Database
    ) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT path FROM _tidemark_resource AS r WHERE parent_resource = ? \
                AND NOT EXISTS (SELECT 1 FROM \(table) WHERE _id = r.parent_row)
                """,
            arguments: [resource]
        )
    }

    /// Forgets a resource, with all that is known of its pages.
    static func forget(_ path: String, _ db: Database) throws {
        try PageCacheEntry.forgetAll(db, in: path)
        try db.cachedStatement(sql: "DELETE FROM _tidemark_resource WHERE path = ?")
            .execute(arguments: [path])
    }

    private init(_ row: Row) throws {
        path = row["path"]
        entity = row["entity"]
        generation = row["generation"]
        reading = row["reading"]
        firstFullSync = try SyncTables.date(row, "completed")
        cursor = row["cursor"]
        version = row["version"]
        latest = row["latest"]
        listRead = try SyncTables.date(row, "swept")
        if let count: Int = row["counted_objects"], let rows: Int = row["counted_rows"] {
            mismatch = CountMismatch(count: count, rows: rows)
        }
        if let pagination: String = row["pagination"], let total: String = row["counted_at"] {
            paging = StoredPaging(pagination: pagination, total: total)
        }
        changesProblem = ChangesProblem(
            kind: row["changes_problem"],
            count: row["changes_failures"]
        )
        lastAttempt = try SyncTables.date(row, "ran")
        lastSuccess = try SyncTables.date(row, "succeeded")
        outcome = row["outcome"]
        message = row["message"]
        if let resource: String = row["parent_resource"], let number: Int64 = row["parent_row"] {
            parent = Parent(resource: resource, row: number, traversal: row["traversal"])
        }
        guard let leg = PullCheckpoint.Leg(row["leg"], since: row["since"]),
            let run: String = row["run"]
        else { return }
        var walk = PullCheckpoint(leg, run: run)
        let next: String? = row["next"]
        walk.next = next.flatMap { URL(string: $0) }
        walk.number = row["number"] ?? 1
        walk.before = row["before"] ?? 0
        walk.items = row["items"] ?? 0
        walk.drifts = row["drifts"] ?? 0
        walk.unknown = row["unknown"] ?? 0
        walk.total = row["total"]
        walk.candidate = row["candidate"]
        walk.expected = row["expected"]
        walk.isHeld = row["held"] ?? false
        walk.settled = row["settled"]
        walk.isCounted = row["counted"] ?? false
        walk.isRecount = row["recount"] ?? false
        if walk.isPossible { self.walk = walk }
    }

    /// Writes the state.
    func save(_ db: Database) throws {
        let columns: [(String, (any DatabaseValueConvertible)?)] = [
            ("path", path), ("entity", entity), ("generation", generation),
            ("reading", reading),
            ("completed", firstFullSync?.timeIntervalSince1970), ("cursor", cursor),
            ("version", version), ("latest", latest), ("swept", listRead?.timeIntervalSince1970),
            ("counted_objects", mismatch?.count), ("counted_rows", mismatch?.rows),
            ("pagination", paging?.pagination), ("counted_at", paging?.total),
            ("changes_problem", changesProblem?.kind.rawValue),
            ("changes_failures", changesProblem?.count),
            ("ran", lastAttempt?.timeIntervalSince1970),
            ("succeeded", lastSuccess?.timeIntervalSince1970),
            ("outcome", outcome), ("message", message),
            ("leg", walk?.leg.name), ("since", walk?.leg.since), ("run", walk?.run),
            ("next", walk?.next?.absoluteString), ("number", walk?.number),
            ("before", walk?.before), ("items", walk?.items), ("drifts", walk?.drifts),
            ("unknown", walk?.unknown), ("total", walk?.total), ("candidate", walk?.candidate),
            ("expected", walk?.expected), ("held", walk?.isHeld),
            ("settled", walk?.settled), ("counted", walk?.isCounted),
            ("recount", walk?.isRecount), ("parent_resource", parent?.resource),
            ("parent_row", parent?.row), ("traversal", parent?.traversal),
        ]
        let names = columns.map(\.0.quotedDatabaseIdentifier).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO _tidemark_resource (\(names)) VALUES (\(marks))"
        )
        .execute(arguments: StatementArguments(columns.map(\.1)))
    }
}
