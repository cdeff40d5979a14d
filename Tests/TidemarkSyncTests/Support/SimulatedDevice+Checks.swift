import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

extension SimulatedDevice {
    /// Checks the tables of the store.
    func check() throws {
        let problems: [String] = try tasks.store.read { reader in
            try Store.integrityErrors(reader.db) + Self.problems(reader.db)
        }
        guard problems.isEmpty else {
            throw Counterexample("Device \(number): \(problems.joined(separator: "; "))")
        }
    }

    private static func problems(_ db: Database) throws -> [String] {
        guard try db.tableExists("_tidemark_change") else { return [] }
        let checks = [
            "a base value without a change": """
            SELECT count(*) FROM _tidemark_base WHERE change NOT IN \
            (SELECT _id FROM _tidemark_change)
            """,
            "a request without a change": """
            SELECT count(*) FROM _tidemark_request WHERE change NOT IN \
            (SELECT _id FROM _tidemark_change)
            """,
            "capture is suppressed": "SELECT count(*) FROM _tidemark_capture WHERE NOT isEnabled",
            "a watermark is too high": """
            SELECT count(*) FROM _tidemark_capture c JOIN sqlite_sequence s \
            ON s.name = c.tree WHERE watermark > seq
            """,
        ]
        return try checks.filter { try Int.fetchOne(db, sql: $0.value) != 0 }.map(\.key).sorted()
    }

    /// The tasks that the service has, as it names them, by their keys.
    ///
    /// - Parameters:
    ///   - isSettled: Whether tasks with a local change that is left are omitted.
    ///   - showsProjects: Whether the projects of tasks are shown.
    /// - Returns: The lines by key.
    /// - Throws: `DatabaseError`.
    func table(
        settled isSettled: Bool = false,
        showingProjects showsProjects: Bool = true
    ) throws -> [String: String] {
        try tasks.store.read { reader in
            let left = """
                AND Task._id NOT IN (SELECT row FROM _tidemark_change WHERE tree = 'Task')
                """
            let rows = try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT Task.id, title, done, dueOn, effort\(showsProjects ? ", Project.id" : "") \
                    FROM Task \
                    LEFT JOIN Project ON Task.project = Project._id \
                    WHERE Task.id IS NOT NULL \(isSettled ? left : "")
                    """
            )
            let lines = rows.map { row in
                ("\(row[0] as DatabaseValue)", row.map { "\($0.1)" }.joined(separator: " "))
            }
            return Dictionary(uniqueKeysWithValues: lines)
        }
    }

    /// Whether a local change of a project is left, perhaps of its list of tasks.
    func hasUnsettledProjects() throws -> Bool {
        try tasks.store.read { reader in
            try Outbox(tasks.store).changes(reader.db, of: "Project").isEmpty == false
        }
    }

    /// The keys of tasks with a local change that is left.
    func unsettledKeys() throws -> Set<String> {
        try tasks.store.read { reader in
            let keys = try DatabaseValue.fetchAll(
                reader.db,
                sql: """
                    SELECT coalesce(Task.id, key) FROM _tidemark_change \
                    LEFT JOIN Task ON Task._id = row WHERE tree = 'Task'
                    """
            )
            return Set(keys.map { "\($0)" })
        }
    }

    /// Checks that nothing is left to push, or only what may be.
    ///
    /// - Parameters:
    ///   - leavesChanges: Whether changes may be left, each with a reason.
    ///   - leavesDrafts: Whether rows without a key may be left that are in no change.
    /// - Throws: A `Counterexample`; `DatabaseError`.
    func checkOutbox(leavesChanges: Bool, leavesDrafts: Bool) throws {
        let store = tasks.store
        let unexplained = try store.read { reader in
            try Outbox(store).changes(reader.db).filter { change in
                !leavesChanges
                    || change.attempts.reason == nil && change.blockedBy == nil
                        && change.state != .conflicted
            }
        }
        guard unexplained.isEmpty else {
            throw Counterexample("Device \(number) has not pushed: \(try tasks.changes())")
        }
        let drafts = try SyncStatus.of(store).localChanges.drafts
        guard leavesDrafts || drafts.isEmpty else {
            throw Counterexample("Device \(number) has made drafts of rows: \(drafts)")
        }
    }

    /// Checks that each value that the device has written last is somewhere.
    ///
    /// It was at the service, is in the record of a conflict, or in the outbox. Until the service
    /// has been read, it may be counted as unconfirmed instead.
    ///
    /// - Parameters:
    ///   - audit: What the service has done.
    ///   - habits: The habits of the service.
    ///   - isFinal: Whether the service has been read completely since the last change, so that
    ///     what is left in the outbox must have a reason.
    /// - Throws: A `Counterexample`; `DatabaseError`.
    func checkJournal(
        against audit: [FakeEffect],
        by habits: FakeHabits,
        isFinal: Bool
    ) throws {
        let evidence = try Evidence(of: tasks.store)
        let titles = Set(audit.compactMap { $0.object?["title"]?.string })
        for (row, title) in journal.titles.sorted(by: { $0.key < $1.key })
        where !titles.contains(habits.normalized(title)) {
            try evidence.check(title.databaseValue, of: row, isFinal: isFinal) {
                Counterexample("Device \(number) has lost the title \(title) of Task#\(row).")
            }
        }
        let efforts = Set(audit.compactMap { Double($0.object?["effort"]?.description ?? "") })
        for (row, effort) in journal.efforts.sorted(by: { $0.key < $1.key })
        where !efforts.contains(effort) {
            try evidence.check(effort.databaseValue, of: row, isFinal: isFinal) {
                Counterexample("Device \(number) has lost the effort \(effort) of Task#\(row).")
            }
        }
    }

    /// Checks that each link that only this device has changed, and each deletion, is where the
    /// titles are: see ``checkJournal(against:by:isFinal:)``.
    ///
    /// - Parameters:
    ///   - habits: The habits of the service.
    ///   - deletions: The keys of the tasks that clients have deleted at the service.
    ///   - keys: The keys of the tasks that the service has.
    ///   - others: The other devices.
    /// - Throws: A `Counterexample`; `DatabaseError`.
    func checkLinks(
        by habits: FakeHabits,
        deletions: Set<String>,
        keys: Set<String>,
        besides others: [SimulatedDevice]
    ) throws {
        let store = tasks.store
        let evidence = try Evidence(of: store)
        let moved = try others.reduce(into: Set<String>()) { try $0.formUnion($1.movedKeys()) }
        let rows = try store.read { reader in
            try Row.fetchAll(reader.db, sql: "SELECT _id, id, project FROM Task")
        }
        let existing = try store.read { reader in
            try Set(Int64.fetchAll(reader.db, sql: "SELECT _id FROM Project"))
        }
        for row in rows {
            let (number, project): (Int64, Int64?) = (row[0], row[2])
            guard let target = journal.projects[number], target != project,
                !moved.contains("\(row[1] as DatabaseValue)"), !evidence.explains(number),
                habits.linkList == nil || !evidence.explainsProjects,
                target.map(existing.contains) ?? true
            else { continue }
            throw Counterexample("Device \(self.number) has lost a link of Task#\(number).")
        }
        for (row, key) in journal.deletions.sorted(by: { $0.key < $1.key })
        where keys.contains("\(key)")
            && !deletions.contains(key.storage.value.map { "\($0)" } ?? "")
            && !evidence.explains(row)
        {
            throw Counterexample("Device \(number) has lost the deletion of Task#\(row).")
        }
    }

    /// The keys of the tasks that the device has moved to other projects, or whose project its user
    /// has chosen.
    private func movedKeys() throws -> Set<String> {
        let moved = Set(journal.projects.keys)
        return try tasks.store.read { reader in
            let chosen = try Int64.fetchSet(
                reader.db,
                sql: """
                    SELECT row FROM _tidemark_conflict \
                    JOIN _tidemark_conflict_value ON conflict = _id \
                    WHERE tree = 'Task' AND property = 'project'
                    """
            )
            let rows = try Row.fetchAll(reader.db, sql: "SELECT _id, id FROM Task")
            return Set(
                rows.filter { moved.union(chosen).contains($0[0] as Int64) }
                    .map { "\($0[1] as DatabaseValue)" }
            )
        }
    }
}

/// What a store says about edits that the service does not have.
private struct Evidence {
    /// The local values in the records of conflicts.
    var conflicts: Set<DatabaseValue> = []

    /// The rows of tasks with a change in the outbox, and whether it says why it is there.
    var outbox: [Int64: Bool] = [:]

    /// The rows of tasks with an acknowledged change that no object of the service has shown.
    var unconfirmed: Set<Int64> = []

    /// The rows of tasks with the record of a conflict.
    var conflictRows: Set<Int64> = []

    /// Whether a change of a project, perhaps of its list of tasks, is in the outbox with a reason,
    /// or in the record of a conflict.
    var explainsProjects = false

    /// The values that local drafts have.
    var drafts: Set<DatabaseValue> = []

    /// Whether edits may not have been recorded, and rows are compared by the next complete pull.
    var isUnrecorded = false

    init(of store: Store) throws {
        let status = try SyncStatus.of(store)
        try store.read { reader in try read(reader.db, of: store, status) }
    }

    private mutating func read(_ db: Database, of store: Store, _ status: SyncStatus) throws {
        guard try db.tableExists("_tidemark_change") else { return }
        conflicts = try Set(
            DatabaseValue.fetchAll(
                db,
                sql: "SELECT local FROM _tidemark_conflict_value WHERE local IS NOT NULL"
            )
        )
        conflictRows = try Set(
            Int64.fetchAll(db, sql: "SELECT row FROM _tidemark_conflict WHERE tree = 'Task'")
        )
        for change in try Outbox(store).changes(db, of: "Task") {
            let isExplained = change.attempts.reason != nil || change.state == .conflicted
            outbox[change.row.number] = isExplained || outbox[change.row.number] == true
        }
        let projects = try Outbox(store).changes(db, of: "Project")
        explainsProjects =
            try projects.contains { $0.attempts.reason != nil || $0.state == .conflicted }
            || Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_conflict WHERE tree = 'Project')"
            ) == true
        unconfirmed = try Set(
            Int64.fetchAll(db, sql: "SELECT row FROM _tidemark_acknowledged WHERE tree = 'Task'")
        )
        if status.localChanges.drafts["Task"] != nil {
            drafts = try Set(
                Row.fetchAll(db, sql: "SELECT title, effort FROM Task WHERE id IS NULL")
                    .flatMap { [$0[0] as DatabaseValue, $0[1] as DatabaseValue] }
            )
        }
        isUnrecorded =
            try status.localChanges.unrecorded != nil
            || Store.captureTriggers(db).isEmpty
    }

    /// Whether a change of a row is in the outbox, with a reason, or in the record of a conflict.
    func explains(_ row: Int64) -> Bool { outbox[row] == true || conflictRows.contains(row) }

    func check(
        _ value: DatabaseValue,
        of row: Int64,
        isFinal: Bool,
        otherwise: () -> Counterexample
    ) throws {
        if conflicts.contains(value) || drafts.contains(value) { return }
        let isInOutbox = isFinal ? outbox[row] == true : outbox[row] != nil
        if isInOutbox || (!isFinal && (unconfirmed.contains(row) || isUnrecorded)) { return }
        throw otherwise()
    }
}
