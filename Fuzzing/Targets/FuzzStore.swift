import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// An in-memory store whose changes are rolled back after each use.
struct FuzzStore: Sendable {
    /// A store of ``FuzzModel`` with a few rows, or the error of its creation, which ``shared()``
    /// throws.
    private static let instance = Result { try FuzzStore() }

    /// Returns the store that all inputs share: creating a store takes longer than using it.
    static func shared() throws -> FuzzStore {
        try instance.get()
    }

    let store: Store
    let importer: Importer
    let exporter: Exporter

    private init() throws {
        store = try Store.inMemory(model: FuzzModel.model)
        importer = Importer(store)
        exporter = Exporter(store)
        var companies = try JSONDocument(Array(Self.companies.utf8)).items()
        _ = try importer.import(&companies, into: "Company")
        try store.writer.write(LinkChanges.record)
    }

    /// Runs a closure in a transaction that is rolled back.
    func trying<T>(_ body: (Database) throws -> T) throws -> T {
        try store.writer.writeWithoutTransaction { db in
            var result: Result<T, any Error>?
            try db.inTransaction(.immediate) {
                result = Result { try body(db) }
                return .rollback
            }
            guard let result else { throw Violation("no transaction took place") }
            return try result.get()
        }
    }

    private static let companies = """
        [{"id": 1, "name": "Ärzte", "seats": 2, "people": [
            {"url": "https://a.example/people/1/", "name": "Ada", "age": 36, "pay": 1000.5,
             "height": 1.5, "weight": 0.1, "is_active": true, "born_at": "1815-12-10",
             "day": "10.12.1815", "code": "6fa459ea-ee8a-3ca4-894e-db77e160355e",
             "link": "https://a.example/1", "photo": "AQI=", "raw": [1], "extra": {"a": "b"},
             "address": {"city": "Z"}, "tags": [{"text": "red"}, {"text": "green"}],
             "notes": [{"text": "one"}, {"text": "two", "replies": [{"text": "three"}]}]},
            {"url": 2, "name": "Émile", "age": 20, "pay": "9.25", "boss_id": 1,
             "friends_ids": [1, 2], "tags": ["red"],
             "badge": {"store": 1, "number": "A-7", "issued": 1}}],
          "things": [
            {"kind": "Book", "id": "00000000-0000-0000-0000-000000000001", "pages": 3},
            {"kind": "Film", "id": "00000000-0000-0000-0000-000000000002", "pages": "x",
             "sequels": ["00000000-0000-0000-0000-000000000003"]}]},
         {"id": 2, "name": "Bäckerei", "people": [
            {"url": 3, "name": "ada*", "age": 36, "pay": -3, "boss_id": 9}]}]
        """
}
