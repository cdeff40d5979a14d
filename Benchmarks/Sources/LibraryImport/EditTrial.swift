import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// Edits of the users of a store, whose changes may be recorded or not.
struct EditTrial {
    private let store: Store
    private let keys: [Int64]

    init(_ path: String) throws {
        store = try Store.open(at: path)
        keys = try store.read { reader in
            try Int64.fetchAll(reader.db, sql: "SELECT id FROM User ORDER BY id")
        }
    }

    /// Measures transactions of one edit, each on disk when it returns, in two stores in turn.
    ///
    /// Whatever else the disk does affects both.
    static func durableEdits(_ first: EditTrial, _ second: EditTrial) throws -> [String: Double] {
        var seconds: [[Double]] = [[], []]
        for key in first.keys.prefix(1_000) {
            for (index, trial) in [first, second].enumerated() {
                let stopwatch = Stopwatch()
                try trial.store.write { writer in try trial.edit(key, writer) }
                seconds[index].append(stopwatch.seconds)
            }
        }
        return ["first": seconds[0].percentile(0.5), "second": seconds[1].percentile(0.5)]
    }

    /// Measures an edit of every user by the library, in one transaction.
    func edits() throws -> [String: Double] {
        let stopwatch = Stopwatch()
        try store.write { writer in
            for key in keys { try edit(key, writer) }
        }
        return ["seconds": stopwatch.seconds]
    }

    private func edit(_ key: Int64, _ writer: StoreWriter) throws {
        _ = try writer.update(
            RecordLocator("User", key: RecordKey([.integer(key)])),
            values: ["email": .string("local\(key)@example.com")]
        )
    }

    /// Measures an UPDATE statement for every user, in one transaction.
    func statements() throws -> [String: Double] {
        let stopwatch = Stopwatch()
        try store.writer.write { db in
            let update = try db.makeStatement(sql: "UPDATE User SET email = ? WHERE id = ?")
            for key in keys { try update.execute(arguments: ["local\(key)@example.com", key]) }
        }
        return ["seconds": stopwatch.seconds]
    }

    /// Measures the import of a document that the service has sent.
    func importDocument(_ path: String) throws -> [String: Double] {
        var items = try openItems(path)
        let stopwatch = Stopwatch()
        var options = ImportOptions()
        options.origin = .service
        let report = try Importer(store).import(&items, into: "User", options: options)
        return [
            "seconds": stopwatch.seconds,
            "updated": Double(report.entities.values.reduce(0) { $0 + $1.updated }),
        ]
    }
}
