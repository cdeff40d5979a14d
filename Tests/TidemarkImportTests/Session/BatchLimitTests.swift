import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// The number of items that one transaction of a session applies.
struct BatchLimitTests {
    private let store: Store
    private let importer: Importer
    private let session = ImportSession("stories", into: "Story")

    init() throws {
        store = try .validated(model: Model(entities: [.named("Story", [])]))
        importer = Importer(store)
        try store.writer.write { [importer, session] db in try importer.begin(db, session) }
    }

    /// Applies twenty items, and returns the number of items in each transaction.
    private func steps(within limit: BatchLimit) throws -> [Int] {
        let objects = (1...20).map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        var items = try JSONDocument(Array("[\(objects)]".utf8)).items()
        var steps: [BatchResult] = []
        while steps.last?.isLast != true {
            let step = try store.writer.write { db in
                try importer.apply(db, &items, of: session, as: ItemFormat(), within: limit)
            }
            steps.append(step)
        }
        #expect(try store.read { db in try db.count("Story") } == 20)
        return steps.map(\.items)
    }

    @Test func `a transaction past its time limit ends after the eighth item`() throws {
        #expect(try steps(within: BatchLimit { true }) == [8, 8, 4])
    }

    @Test func `a transaction does not end before its time limit is reached`() throws {
        var looks = 0
        let limit = BatchLimit {
            looks += 1
            return looks == 2
        }
        #expect(try steps(within: limit) == [16, 4])
    }

    @Test func `a transaction ends with the row that reaches its limit`() throws {
        #expect(try steps(within: BatchLimit(rows: 6)) == [6, 6, 6, 2])
    }

    @Test func `a transaction without a limit applies all items`() throws {
        #expect(try steps(within: BatchLimit()) == [20])
    }
}
