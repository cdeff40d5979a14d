import Foundation
import GRDB

/// The stored state of one list of the service: its cursor, and the result of the last pull.
///
/// The row of a list also contains its ``PullCheckpoint``, which is loaded and saved together with
/// the state.
struct ResourceState: Equatable, Sendable {
    /// The path of the resource.
    var path: String

    /// What the state depends on.
    var basis: Basis

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

    /// The last pull of the list.
    var lastPull = LastPull()

    /// The parent whose children the list contains; nil for the list of an entity.
    var parent: Parent?

    /// What the state depends on: if it changes, the list is read completely.
    struct Basis: Equatable, Sendable {
        /// The entity of the objects.
        var entity: String

        /// The model generation of the store.
        var generation: Int

        /// The fingerprint of the configuration: see ``PullContext/fingerprint(of:)``.
        var fingerprint: String
    }

    /// The time and the result of the last pull of a list.
    struct LastPull: Equatable, Sendable {
        /// When the list was last pulled.
        var attempt: Date?

        /// When the list was last pulled without a failure.
        var success: Date?

        /// The stored name of how the last pull ended.
        var outcome: String?

        /// The message of its failure.
        var message: String?

        /// Why it is not proved that the list ends where it was last read to; nil if it is.
        var unprovenEnd: UnprovenEnd?
    }

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
    init(_ path: String, with basis: Basis) {
        self.path = path
        self.basis = basis
    }

    /// Records the result of a pull of the list.
    mutating func record(_ report: SyncReport.ResourceReport, at now: Date) {
        lastPull.attempt = now
        if report.failure == nil {
            lastPull.success = now
            lastPull.unprovenEnd = report.unprovenEnd
        }
        lastPull.outcome = report.ending.rawValue
        lastPull.message = report.failure.map { "\($0)" }
    }
}

/// How a list continues, as the options of a configuration.
struct StoredPaging: Equatable, Sendable {
    /// How the next page is found.
    var pagination: String

    /// Where the total number of objects is.
    var total: String

    /// The number of the first page or object; nil if it is unknown, or nothing is counted.
    var base: Int?
}

/// What a save does to the checkpoint in the store.
enum CheckpointUpdate: Equatable, Sendable {
    /// The stored checkpoint stays.
    case keep
    /// The checkpoint is replaced.
    case save(PullCheckpoint)
    /// The list needs no checkpoint.
    case clear

    /// Replaces the checkpoint, or deletes it if it is nil.
    init(_ checkpoint: PullCheckpoint?) {
        self = checkpoint.map { .save($0) } ?? .clear
    }
}

// MARK: - In the store

extension ResourceState {
    /// A state and the checkpoint that was saved with it.
    typealias Stored = (state: ResourceState, checkpoint: PullCheckpoint?)

    /// Returns the state of a list and its checkpoint; nil if the list was never pulled.
    static func of(_ path: String, _ db: Database) throws -> Stored? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM _tidemark_resource WHERE path = ?"),
            arguments: [path]
        )
        .map { (try ResourceState($0), PullCheckpoint($0)) }
    }

    /// Returns whether a list was ever read completely.
    static func isComplete(_ path: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT completed IS NOT NULL FROM _tidemark_resource WHERE path = ?"
        )
        return try Bool.fetchOne(statement, arguments: [path]) ?? false
    }

    /// Returns the states of all resources that were ever pulled, without those of child lists.
    static func all(_ db: Database) throws -> [Stored] {
        try Row.fetchAll(
            db,
            sql: "SELECT * FROM _tidemark_resource WHERE parent_resource IS NULL ORDER BY path"
        )
        .map { (try ResourceState($0), PullCheckpoint($0)) }
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
        basis = Basis(
            entity: row["entity"],
            generation: row["generation"],
            fingerprint: row["reading"]
        )
        firstFullSync = try SyncTables.date("completed", of: row)
        cursor = row["cursor"]
        version = row["version"]
        latest = row["latest"]
        listRead = try SyncTables.date("swept", of: row)
        if let count: Int = row["counted_objects"], let rows: Int = row["counted_rows"] {
            mismatch = CountMismatch(count: count, rows: rows)
        }
        if let pagination: String = row["pagination"], let total: String = row["counted_at"] {
            paging = StoredPaging(pagination: pagination, total: total, base: row["base"])
        }
        changesProblem = ChangesProblem(
            kind: row["changes_problem"],
            count: row["changes_failures"]
        )
        lastPull = LastPull(
            attempt: try SyncTables.date("ran", of: row),
            success: try SyncTables.date("succeeded", of: row),
            outcome: row["outcome"],
            message: row["message"],
            unprovenEnd: UnprovenEnd(stored: row["unproven"])
        )
        if let resource: String = row["parent_resource"], let number: Int64 = row["parent_row"] {
            parent = Parent(resource: resource, row: number, traversal: row["traversal"])
        }
    }

    /// Saves the state, and updates the checkpoint of the list.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - update: What happens to the stored checkpoint.
    ///   - firstPage: The URL of the list's first page, if the checkpoint is at
    ///     ``PullCheckpoint/Position/firstPage``.
    /// - Throws: `DatabaseError`.
    func save(_ db: Database, _ update: CheckpointUpdate, firstPage: URL? = nil) throws {
        var columns: [(name: String, value: (any DatabaseValueConvertible)?)] = [
            ("path", path), ("entity", basis.entity), ("generation", basis.generation),
            ("reading", basis.fingerprint),
            ("completed", firstFullSync?.timeIntervalSince1970), ("cursor", cursor),
            ("version", version), ("latest", latest), ("swept", listRead?.timeIntervalSince1970),
            ("counted_objects", mismatch?.count), ("counted_rows", mismatch?.rows),
            ("pagination", paging?.pagination), ("counted_at", paging?.total),
            ("base", paging?.base),
            ("changes_problem", changesProblem?.kind.rawValue),
            ("changes_failures", changesProblem?.count),
            ("ran", lastPull.attempt?.timeIntervalSince1970),
            ("succeeded", lastPull.success?.timeIntervalSince1970),
            ("outcome", lastPull.outcome), ("message", lastPull.message),
            ("unproven", lastPull.unprovenEnd?.stored),
            ("parent_resource", parent?.resource), ("parent_row", parent?.row),
            ("traversal", parent?.traversal),
        ]
        switch update {
        case .keep: break
        case .save(let checkpoint):
            columns += PullCheckpoint.columns(of: checkpoint, firstPage: firstPage)
        case .clear:
            columns += PullCheckpoint.columns(of: nil, firstPage: nil)
        }
        let names = columns.map(\.name.quotedDatabaseIdentifier)
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        let assignments = names.dropFirst().map { "\($0) = excluded.\($0)" }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_resource (\(names.joined(separator: ", "))) \
                VALUES (\(parameters)) \
                ON CONFLICT (path) DO UPDATE SET \(assignments.joined(separator: ", "))
                """
        )
        .execute(arguments: StatementArguments(columns.map(\.value)))
    }
}
