import Foundation
import GRDB
import Testing
import Tidemark
import TidemarkTestSupport

/// The Swift samples in docs/predicates.md.
struct PredicateSampleTests {
    private func filled() throws -> Store {
        let model = Model {
            EntityDescription("Film") {
                Attribute("id", .integer64)
                Attribute("title", .string)
                Attribute("episode", .integer16)
                Attribute("releasedAt", .date)
            }
        }
        let store = try Store.validated(model: model)
        let json = """
            [{"id": 1, "title": "A New Hope", "episode": 4, "released_at": "1977-05-25"}, \
            {"id": 2, "title": "Return of the Jedi", "episode": 6, "released_at": "1983-05-25"}]
            """
        var items = try JSONDocument(Array(json.utf8)).items()
        _ = try Importer(store).import(&items, into: "Film")
        return store
    }

    @Test func `a predicate with arguments selects rows`() async throws {
        let store = try filled()
        // snippet.predicate
        let predicate = try RecordPredicate(
            "title CONTAINS[cd] %@ AND releasedAt >= $since",
            .string("hope"),
            names: ["since": .date(0)]
        )
        let request = RecordRequest("Film", where: predicate, sort: [.init("episode")], limit: 10)
        let films = try await store.read { reader in try reader.fetch(request) }
        for film in films { print(film["title"], film["episode"]) }
        // snippet.end
        #expect(films.map { $0["title"] } == [.string("A New Hope")])
    }

    @Test func `the SQL of a request is a subquery of an aggregate`() async throws {
        let store = try filled()
        let predicate = try RecordPredicate("releasedAt > '1980-01-01'")
        // snippet.selection
        let films = try store.sql(for: RecordRequest("Film", where: predicate))
        let latest = try await store.read { reader in
            try SQLRequest<Int>("SELECT max(episode) FROM (\(films))").fetchOne(reader.db)
        }
        // snippet.end
        #expect(latest == 6)
    }

    @Test func `an error contains its position`() throws {
        // snippet.error
        do {
            _ = try RecordPredicate("age >> 3")
        } catch {
            print(error.rendering)
        }
        // snippet.end
        let error = #expect(throws: RecordPredicateError.self) { try RecordPredicate("age >> 3") }
        #expect(error?.character == 6)
    }
}
