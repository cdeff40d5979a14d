import Foundation
import GRDB

/// The stored state of one list of the service: its cursor, checkpoint and last result.
struct ResourceState: Equatable, Sendable {
    /// The path of the resource.
    var path: String

    /// The entity of its objects.
    var entity: String

    /// The model generation of the store at the last read; another one requires a full read.
    var generation: Int

    /// The fingerprint of the configuration at the last read; another one requires a full read.
    var reading: String

    /// When the whole list was in the store for the first time.
    var firstFullSync: Date?

    /// The cursor that the next changes are requested since.
    var cursor: String?

    /// The version of the whole list, as the service reported it.
    var version: String?

    /// The latest change stamp that any page of the list has ever contained.
    var latest: String?

    /// When the whole list was last read to its end.
    var listRead: Date?

    /// The count mismatch that reading the whole list did not resolve; nil if the counts agree.
    var mismatch: CountMismatch?

    /// The pagination that a response has shown; nil if it is configured.
    var paging: StoredPaging?

    /// Why changes cannot be requested; nil if they can.
    var changesProblem: ChangesProblem?

    /// When the list was last pulled.
    var lastAttempt: Date?

    /// When the list was last pulled without a failure.
    var lastSuccess: Date?

    /// The result of the last pull.
    var outcome: String?

    /// The message of the failure.
    var message: String?

    /// The checkpoint of a list that was not read to its end, or whose row count is unverified.
    var walk: PullCheckpoint?

    /// The parent whose children the list contains; nil for the list of an entity.
    var parent: Parent?

    /// The parent of a list of children, and the resource that the list belongs to.
    struct Parent: Equatable, Sendable {
        /// The path of the resource, with the parent in braces.
        var resource: String

        /// The row number of the parent.
        var row: Int64

        /// The traversal of the resource's lists in which this one was last read to its end.
        var traversal: String?
    }

    /// Creates the state of a list that was never pulled.
    init(path: String, entity: String, generation: Int, reading: String) {
        self.path = path
        self.entity = entity
        self.generation = generation
        self.reading = reading
    }
}

/// How a list continues, as the options of a configuration.
struct StoredPaging: Equatable, Sendable {
    /// How the next page is found.
    var pagination: String

    /// Where the total number of objects is.
    var total: String
}

/// A difference between the service's count and the number of rows that the whole list does not
/// explain: the service counts objects that cannot be stored, or that its list does not contain.
struct CountMismatch: Equatable, Sendable {
    /// The number of objects that the service counts, or that its list contains.
    var count: Int

    /// The number of rows after the list was read, not counting pending deletions.
    var rows: Int

    /// Whether a later count and number of rows differ by the same amount.
    func explains(count: Int, rows: Int) -> Bool {
        // A damaged store may contain any integers.
        count.subtractingReportingOverflow(rows)
            == self.count.subtractingReportingOverflow(self.rows)
    }
}

extension ResourceState {
    /// Records the result of a pull of the list.
    mutating func note(_ report: SyncReport.ResourceReport, at now: Date) {
        lastAttempt = now
        if report.failure == nil { lastSuccess = now }
        outcome = report.ending.storedName
        message = report.failure.map { "\($0)" }
    }

    /// Whether both lists were read with the same model and configuration.
    func isRead(like other: ResourceState) -> Bool {
        entity == other.entity && generation == other.generation && reading == other.reading
    }
}

// MARK: - In the store

extension SyncReport.Ending {
    /// The name by which an ending is stored, which stores of earlier revisions contain as well.
    var storedName: String { self == .inconsistent ? "drifted" : rawValue }

    /// Creates an ending from its stored name; nil if the name is unknown.
    init?(storedName: String) {
        self.init(rawValue: storedName == "drifted" ? "inconsistent" : storedName)
    }
}

extension ResourceState {
    /// Returns the state of a list; nil if the list was never pulled.
    static func of(_ path: String, _ db: Database) throws -> ResourceState? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM _tidemark_resource WHERE path = ?"),
            arguments: [path]
        )
        .map(ResourceState.init)
    }

    /// Returns whether a list was ever read completely.
    static func isComplete(_ path: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT completed IS NOT NULL FROM _tidemark_resource WHERE path = ?"
        )
        return try Bool.fetchOne(statement, arguments: [path]) ?? false
    }

    /// Returns the states of all resources that were ever pulled, without those of child lists.
    static func all(_ db: Database) throws -> [ResourceState] {
        // Not a condition in SQL: a store of an earlier revision lacks the column of the parent.
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

    /// Returns the traversal in which a child list was last read to its end; nil if it was not.
    static func traversal(of path: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT traversal FROM _tidemark_resource WHERE path = ?"),
            arguments: [path]
        )
    }

    /// Returns the paths of the child lists of a resource whose parents were deleted.
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

    /// Deletes the state of a list and its cached pages.
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

    /// Saves the state.
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
