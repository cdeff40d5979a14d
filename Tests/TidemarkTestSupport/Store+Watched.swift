package import GRDB
import Testing
package import TidemarkModel
package import TidemarkStore

extension Store {
    /// A store in memory that is looked over after every transaction.
    ///
    /// Tests make their stores by this and its like, so that each of them also tests that no
    /// reference dangles and no index is wrong.
    package static func watched(model: Model) throws -> Store {
        try inMemory(model: model).watched()
    }

    /// A store in a file that is looked over after every transaction.
    package static func watched(at path: String, model: Model? = nil) throws -> Store {
        try open(at: path, model: model).watched()
    }

    /// A store in another database that is looked over after every transaction.
    package static func watched(in writer: any DatabaseWriter, model: Model? = nil) throws -> Store
    {
        try adopt(writer, model: model).watched()
    }

    /// The same store, looked over after every transaction.
    package func watched() -> Store {
        writer.add(transactionObserver: SoundnessWatch(), extent: .databaseLifetime)
        return self
    }

    /// What SQLite finds wrong with the store: references that dangle, indexes that disagree with
    /// their tables, values that break a rule.
    package static func complaints(_ db: Database) throws -> [String] {
        let damages = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let dangling = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
        return damages + dangling.map { "dangling: \($0)" }
    }
}

/// Records an issue when a transaction leaves a store in disorder.
private final class SoundnessWatch: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) {
        do {
            let complaints = try Store.complaints(db)
            if !complaints.isEmpty {
                Issue.record("A transaction left the store in disorder: \(complaints)")
            }
        } catch {
            Issue.record(error)
        }
    }

    func databaseDidRollback(_ db: Database) {}
}
