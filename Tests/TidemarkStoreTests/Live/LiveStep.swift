import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A random transaction.
struct LiveStep<World: LiveWorld>: CustomStringConvertible {
    let seed: UInt64

    /// Whether no snapshot is read after the transaction.
    let isSkipped: Bool

    init(_ seed: UInt64) {
        self.seed = seed
        var chance = Chance(seed: seed, for: "skip")
        isSkipped = chance.happens(25)
    }

    var description: String { "\(seed)" }

    func run(_ store: Store, _ other: DatabaseQueue) throws {
        var chance = Chance(seed: seed, for: "step")
        let count = chance.number(1...3)
        switch chance.number(0...11) {
        case 0...4:
            try store.write { writer in
                for _ in 0..<count { try World.write(writer, &chance) }
            }
        case 5...6:
            try store.writer.write { db in
                for _ in 0..<count { try Self.execute(db, &chance) }
            }
        case 7:
            // A savepoint is rolled back, and the rest is committed.
            try store.writer.write { db in
                try Self.execute(db, &chance)
                try db.inSavepoint {
                    try Self.execute(db, &chance)
                    return .rollback
                }
            }
        case 8:
            try store.writer.write { db in
                try store.write(in: db) { writer in try World.write(writer, &chance) }
                try Self.execute(db, &chance)
            }
        case 9: try Self.import(into: store, &chance)
        case 10: try Self.continueSession(store, &chance)
        default:
            try other.write { db in
                for _ in 0..<count { try Self.execute(db, &chance) }
            }
        }
    }

    private static func execute(_ db: Database, _ chance: inout Chance) throws {
        let (sql, arguments) = World.statement(&chance)
        try db.execute(sql: sql, arguments: arguments)
    }

    private static func `import`(into store: Store, _ chance: inout Chance) throws {
        let (entity, text) = World.document(&chance)
        let options = ImportOptions(operations: chance.happens(70) ? .upsert : .all)
        try Importer(store).import(text, into: entity, options: options)
    }

    /// Begins an import session with a page, applies a further page of it, or ends it.
    private static func continueSession(_ store: Store, _ chance: inout Chance) throws {
        let importer = Importer(store)
        let (entity, text) = World.document(&chance)
        let session = ImportSession("every \(entity)", into: entity)
        let isOpen = try store.writer.read { db in
            try importer.isOpen(db, "every \(entity)", run: "")
        }
        var items = Array(text.utf8).items(at: JSONPath(), limits: JSONLimits())
        try store.writer.write { db in
            if isOpen, chance.happens(40) {
                _ = try importer.finish(db, session)
            } else {
                if !isOpen { try importer.begin(db, session) }
                _ = try importer.apply(db, &items, of: session)
            }
        }
    }
}
