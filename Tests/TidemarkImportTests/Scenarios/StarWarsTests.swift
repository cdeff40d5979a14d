import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports of all objects of the Star Wars API.
@Suite(.enabled(if: SharedData.isAvailable, "There is no shared/data/swapi next to the package."))
struct StarWarsTests {
    private func load(_ order: [Int]) throws -> Store {
        let store = try Store.validated(model: StarWars.model)
        for index in order {
            let (kind, entity) = StarWars.kinds[index]
            try store.load(entity, SharedData.all(kind))
        }
        return store
    }

    /// Returns the number of rows by table, including join tables and unresolved references.
    private func counts(_ store: Store) throws -> [String: Int] {
        try store.writer.read { db in
            let tables = store.layout.tables.map(\.name) + store.layout.joins.map(\.name)
            return try Dictionary(
                uniqueKeysWithValues: (tables + ["_tidemark_held"]).map { table in
                    (table, try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
                }
            )
        }
    }

    private static let expected = [
        "Film": 6, "Person": 82, "Planet": 60, "Species": 37, "Starship": 36, "Vehicle": 39,
        "_tidemark_held": 0,
    ]

    @Test func `every resource is stored and every link resolved, in any order`() throws {
        let first = try load([0, 1, 2, 3, 4, 5])
        let tables = try first.anonymousTables()
        #expect(try counts(first).filter { Self.expected.keys.contains($0.key) } == Self.expected)
        var random = SeededGenerator(seed: 1_977)
        print("seed 1977")
        for order in [[5, 4, 3, 2, 1, 0]] + (0..<3).map({ _ in (0..<6).shuffled(using: &random) }) {
            let store = try load(order)
            #expect(try counts(store) == counts(first), "\(order)")
            #expect(try store.anonymousTables() == tables, "\(order)")
        }
    }

    @Test func `a second import changes nothing and writes nothing`() throws {
        let store = try load([3, 0, 5, 1, 4, 2])
        let writes = try store.writer.write { $0.totalChangesCount }
        for (kind, entity) in StarWars.kinds {
            let report = try store.report(entity, SharedData.all(kind))
            #expect(report.isUnchanged, "\(kind): \(report.text)")
            #expect(report.entities[entity]?.unchanged == Self.expected[entity])
            #expect(report.unresolvedReferenceCount == 0)
        }
        #expect(try store.writer.write { $0.totalChangesCount } == writes)
    }

    @Test func `deleting a film deletes its links and nothing else`() throws {
        let store = try load([0, 1, 2, 3, 4, 5])
        let before = try counts(store)
        let films = try SharedData.all("films")
        let document = try JSONDocument(Array(films.utf8))
        let rest = document.withRoot { root in
            root.elements.filter { $0.member("episode_id")?.integer != 4 }
                .map { String(decoding: $0.source, as: UTF8.self) }
        }
        let pairs = document.withRoot { root in
            root.elements.first { $0.member("episode_id")?.integer == 4 }.map { film in
                ["characters", "planets", "species", "starships", "vehicles"].map { name in
                    film.member(name).map { Array($0.elements).count } ?? 0
                }
            }
        }
        let report = try store.report("Film", "[\(rest.joined(separator: ","))]")
        #expect(report.entities["Film"]?.deleted == 1)
        #expect(report.entities["Film"]?.unchanged == 5)
        #expect(report.entities.count == 1)
        let after = try counts(store)
        let lost = before.compactMap { table, count -> (String, Int)? in
            let lost = count - (after[table] ?? 0)
            return lost == 0 ? nil : (table, lost)
        }
        let sum = try #require(pairs).reduce(0, +)
        #expect(lost.filter { $0.0.contains("Film_") }.map(\.1).sorted() == pairs?.sorted())
        #expect(after["_tidemark_held"] == sum)
        #expect(lost.filter { !$0.0.hasPrefix("_") }.map(\.0) == ["Film"])
        try store.load("Film", films)
        #expect(try counts(store) == before)
    }
}
