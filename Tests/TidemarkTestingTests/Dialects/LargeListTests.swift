import Testing
import TidemarkFakeServices

@testable import TidemarkTesting

/// Lists of many objects, read to the last page.
struct LargeListTests {
    private static let count = 10_000

    private func service(_ dialect: FakeDialect, _ key: String = "id") -> FakeService {
        let objects: [FakeJSON] = (0..<Self.count).map { number in
            .object([
                .init(key, .string("k\(100_000 + number)")), .init("n", .number("\(number)")),
                .init("title", "A title that is as long as titles are."),
            ])
        }
        return FakeService(data: FakeData([("things", objects)]), dialect: dialect)
    }

    /// Reads a list to the last page, and returns the number of pages.
    ///
    /// Expects every object once.
    private func readPages(
        _ fake: FakeService,
        from path: String,
        in member: String?,
        _ next: (ReceivedResponse, FakeJSON) -> String?
    ) async throws -> Int {
        var seen: Set<String> = []
        var (count, pages) = (0, 0)
        var url: String? = "http://h/api/\(path)"
        while let current = url {
            let response = try await fake.follow(current)
            let json = try response.json()
            let objects = (member.map { json[$0] ?? .null } ?? json).elements ?? []
            count += objects.count
            pages += 1
            for object in objects {
                seen.insert((object["id"] ?? object["objectId"])?.string ?? "")
            }
            url = objects.isEmpty ? nil : next(response, json)
        }
        #expect(seen.count == Self.count)
        #expect(count == Self.count)
        // A page examines its objects and the next one. Pages with a count share one full scan.
        let examined = fake.contents["things"]?.cache.examined ?? .max
        #expect(examined <= Self.count + pages)
        return pages
    }

    @Test(arguments: [
        FakeDialect.REST.Pagination.pages, .offsets, .cursor(by: "-updated_at"), .cursor(by: "n"),
    ])
    func `reads a REST list page by page`(_ pagination: FakeDialect.REST.Pagination) async throws {
        let fake = service(
            .rest(pageSize: 500) { rest in
                rest.pagination = pagination
                rest.timestamps.changed = "updated_at"
            }
        )
        let pages = try await readPages(
            fake,
            from: "things/?updated_since=2017-01-01T00:00:00Z",
            in: "results"
        ) { _, json in json["next"]?.string }
        #expect(pages == 20)
    }

    @Test func `reads a Rails list page by page`() async throws {
        let fake = service(.rails { $0.maxPerPage = 500 })
        let pages = try await readPages(fake, from: "things?per_page=500", in: nil) { response, _ in
            let links = response["Link"]?.split(separator: ", ") ?? []
            let next = links.first { $0.hasSuffix("rel=\"next\"") }
            return next.map { $0.dropFirst().prefix { $0 != ">" } }.map(String.init)
        }
        #expect(pages == 20)
    }

    @Test func `reads a Parse class in the order of its keys`() async throws {
        let fake = service(.parse(), "objectId")
        let path = "classes/things?limit=500&order=objectId&keys=objectId"
        let pages = try await readPages(fake, from: path, in: "results") { _, json in
            let last = json["results"]?.elements?.last?["objectId"]?.string ?? ""
            let condition = escaped(#"{"objectId":{"$gt":"\#(last)"}}"#)
            return "http://h/api/\(path)&where=\(condition)"
        }
        #expect(pages == 21)
    }

    @Test(arguments: ["_sort=last_modified", "_since=0", "_sort=title,-n"])
    func `reads a Kinto collection page by page`(_ query: String) async throws {
        let fake = service(.kinto { $0.paginateBy = 500 })
        let path = "buckets/app/collections/things/records?\(query)"
        let pages = try await readPages(fake, from: path, in: "data") { response, _ in
            response["Next-Page"]
        }
        #expect(pages == 20)
    }

    @Test func `reads JSON API resources page by page`() async throws {
        let fake = service(.jsonAPI { $0.pageSize = 500 })
        let pages = try await readPages(fake, from: "things?sort=-n", in: "data") { _, json in
            json["links"]?["next"]?.string
        }
        #expect(pages == 20)
    }

    @Test func `thousands of changes are compared one at a time`() {
        let fake = service(.kinto())
        for number in 0..<2_000 {
            fake["things/k\(100_000 + number)"]?["n"] = -1
            fake["things/k\(105_000 + number)"] = nil
        }
        let collection = fake.contents["things"]
        #expect(collection?.tombstones.count == 2_000)
        #expect(collection?.records.count == Self.count - 2_000)
        #expect(collection?.stamp == 1_500_000_000_000_000 + Int64(Self.count + 4_000) * 1_000)
    }
}
