import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Random edits of random stores.
struct CapturePropertyTests {
    @Test func `discarding all local changes restores the rows`() async throws {
        try await Property(cases: 300) { EditSample(seed: $0) }.holds { sample in
            let edited = try EditedStore(sample)
            let store = edited.store
            try edited.make { try store.editing($0) }
            try edited.expectRestored()
        }
    }

    /// Without them, a statement that replaces another row leaves no trace of it.
    @Test func `so it does where triggers are not recursive, unless rows are replaced`()
        async throws
    {
        try await Property(cases: 60) { EditSample(seed: $0) }.holds { sample in
            let edited = try EditedStore(sample)
            edited.mayReplace = false
            let store = edited.store
            try store.setRecursiveTriggers("OFF")
            try edited.make { try store.editing($0) }
            try store.setRecursiveTriggers("ON")
            try edited.expectRestored()
        }
    }
}

extension CapturePropertyTests {
    /// What was replaced without a trace returns with the next complete list.
    ///
    /// Everything else can be discarded, or is an error that says what to do.
    @Test func `a row that is replaced without a trace damages nothing else`() async throws {
        try await Property(cases: 60) { EditSample(seed: $0) }.holds { sample in
            let edited = try EditedStore(sample)
            let store = edited.store
            try store.setRecursiveTriggers("OFF")
            try edited.make { try store.editing($0) }
            try store.setRecursiveTriggers("ON")
            do {
                try store.discardAll()
            } catch let error as StoreError where error.code == .dependentChange {}
            let errors = try store.writer.read { db in
                try Store.integrityErrors(db)
                    + String.fetchAll(
                        db,
                        sql: "SELECT tree FROM _tidemark_capture WHERE NOT isEnabled"
                    )
            }
            try same(errors.joined(separator: "\n"), "", edited.statements)
        }
    }
}

/// Random edits by a process that has no code of Tidemark.
@Suite(
    .enabled(if: Shell.isAvailable, "there is no sqlite3 on the PATH; scripts/setup installs it")
)
struct ShellCapturePropertyTests {
    @Test(arguments: ["ON", "OFF"])
    func `the edits of the sqlite3 shell are recorded, and can be discarded`(
        recursiveTriggers: String
    ) async throws {
        try await Property(cases: 12) { EditSample(seed: $0) }.holds { sample in
            // The same edits, made in this process, show the statements and what they lead to.
            let own = try EditedStore(sample)
            own.mayReplace = recursiveTriggers == "ON"
            try own.store.setRecursiveTriggers(recursiveTriggers)
            var script = [
                "PRAGMA foreign_keys = ON;", "PRAGMA recursive_triggers = \(recursiveTriggers);",
            ]
            try own.make { body in
                let start = own.log.count
                let isCommitted = try own.store.editing(body)
                script += ["BEGIN;"] + own.log[start...] + [isCommitted ? "COMMIT;" : "ROLLBACK;"]
                return isCommitted
            }
            let folder = try Folder()
            let path = folder.filePath("store.sqlite")
            let other = try EditedStore(sample, at: path)
            let messages = try Shell.run(path, script: script, in: folder)
            let report = "\(messages)\n\(script.joined(separator: "\n"))"
            for store in [own.store, other.store] { try store.collect() }
            try same(StoreRows(other.store).text, StoreRows(own.store).text, report)
            try same(other.store.outbox(), own.store.outbox(), report)
            try other.expectRestored()
        }
    }
}

/// A random store with local changes.
private final class EditedStore {
    let store: Store
    private let sample: EditSample
    private let before: StoreRows
    private var edits: RandomEdits

    var mayReplace: Bool {
        get { edits.mayReplace }
        set { edits.mayReplace = newValue }
    }

    /// The statements of the edits so far.
    var log: [String] { edits.log }
    var statements: String { edits.log.joined(separator: "\n") }

    /// Creates a store whose rows are known to a service.
    init(_ sample: EditSample, at path: String? = nil) throws {
        self.sample = sample
        store =
            try path.map { try Store.validated(at: $0, model: sample.model) }
            ?? Store.validated(model: sample.model)
        var edits = RandomEdits(store.layout, Chance(seed: sample.seed, for: "rows"))
        try store.editing { db in try edits.fill(db) }
        edits.log = []
        self.edits = edits
        try store.writer.write { [layout = store.layout] db in try Capture.install(db, layout) }
        before = try StoreRows(store)
    }

    /// Makes the edits of the sample, each in a transaction that a closure begins.
    func make(in transaction: ((Database) throws -> Void) throws -> Bool) throws {
        for number in sample.edits {
            edits.chance = Chance(seed: sample.seed, for: "edit \(number)")
            _ = try transaction { db in try self.edits.edit(db) }
        }
    }

    /// Discards all changes, and compares all tables with those before the edits.
    func expectRestored() throws {
        let edited = try StoreRows(store)
        let outbox = try store.outbox()
        try store.discardAll()
        let report = "\(statements)\nedited\n\(edited.text)\noutbox\n\(outbox)"
        try same(
            StoreRows(store).replacingKeys(by: before).withoutLoose(before).text,
            before.withoutLoose(before).text,
            report
        )
        try store.expectEmptyOutbox(report)
    }
}

extension Store {
    /// Runs a transaction, which is rolled back if its references are broken at the end.
    ///
    /// - Returns: Whether it was committed.
    @discardableResult
    fileprivate func editing(_ body: (Database) throws -> Void) throws -> Bool {
        do {
            try writer.write { db in
                try body(db)
                // An UPDATE OR REPLACE may replace the row that it refers to; SQLite does not
                // notice that.
                guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
                    throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
                }
            }
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }

    fileprivate func setRecursiveTriggers(_ value: String) throws {
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA recursive_triggers = \(value)")
        }
    }

    /// Checks that no change and no base value is left.
    fileprivate func expectEmptyOutbox(_ message: String) throws {
        let rest = try writer.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_change").map(\.description)
                + Row.fetchAll(db, sql: "SELECT * FROM _tidemark_base").map(\.description)
                + Row.fetchAll(
                    db,
                    sql: "SELECT * FROM _tidemark_capture WHERE isEnabled = 0"
                ).map(\.description) + Store.integrityErrors(db)
        }
        try same(rest.joined(separator: "\n"), "", message)
    }
}
