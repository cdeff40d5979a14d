public import GRDB
import Testing
public import TidemarkModel
public import TidemarkStore

extension Store {
    /// Creates an in-memory store that is validated after every transaction.
    ///
    /// Tests create their stores with this function or its variants, so that each of them also
    /// tests that no foreign key dangles and no index is corrupt.
    public static func validated(model: Model) throws -> Store {
        try inMemory(model: model).validated()
    }

    /// Opens a store in a file, which is validated after every transaction.
    public static func validated(at path: String, model: Model? = nil) throws -> Store {
        try open(at: path, model: model).validated()
    }

    /// Opens a store in an app's own database, which is validated after every transaction.
    public static func validated(
        in writer: any DatabaseWriter,
        model: Model? = nil
    ) throws -> Store {
        try adopt(writer, model: model).validated()
    }

    /// Validates the store after every transaction from now on, and returns it.
    public func validated() -> Store {
        writer.add(transactionObserver: IntegrityCheck(), extent: .databaseLifetime)
        return self
    }

    /// Returns the errors that SQLite reports for the store: dangling foreign keys, indexes that
    /// differ from their tables, and values that violate a constraint.
    package static func integrityErrors(_ db: Database) throws -> [String] {
        let corruption = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter {
            $0 != "ok"
        }
        let dangling = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
        return corruption + dangling.map { "dangling: \($0)" }
    }
}

/// Records an issue if a commit leaves a store corrupt or with dangling foreign keys.
private final class IntegrityCheck: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) {
        do {
            let integrityErrors = try Store.integrityErrors(db)
            if !integrityErrors.isEmpty {
                Issue.record("A transaction left the store corrupt: \(integrityErrors)")
            }
        } catch {
            Issue.record(error)
        }
    }

    func databaseDidRollback(_ db: Database) {}
}
