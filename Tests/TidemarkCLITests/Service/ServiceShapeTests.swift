import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkTesting

/// Services in five shapes that presets do not describe: a pull by URL alone stores exactly their
/// data or is rejected, and a short configuration describes each.
@Suite(.timeLimit(.minutes(40)))
struct ServiceShapeTests {
    /// An object of a service: its number, and the day of its last change.
    struct Thing: Sendable {
        var id: Int
        var day: Int

        var timestamp: String { "2026-01-\(day < 10 ? "0" : "")\(day)T00:00:00Z" }
    }

    /// A service whose responses are computed by a function.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String

        /// The path of the list.
        var path = "things"

        /// What follows `service: {url: …` in the configuration; `resource` is the text of the
        /// resource.
        var service = ""
        let resource: String

        /// The query parameter that requests changes.
        let delta: String

        /// What the message of a rejected pull by URL contains; nil if the pull succeeds.
        var rejection: String?

        /// Returns the status, the header fields and the body of a response.
        let respond: @Sendable (FakeDialect.Request, [Thing]) -> (Int, [String: String], String)

        var testDescription: String { name }
    }

    private static func list(
        _ things: some Sequence<Thing>,
        _ write: (Thing) -> String = {
            #"{"id": \#($0.id), "title": "t\#($0.id)", "updated_on": "\#($0.timestamp)"}"#
        }
    ) -> String {
        "[\(things.map(write).joined(separator: ","))]"
    }

    private static func number(_ request: FakeDialect.Request, _ name: String, _ other: Int) -> Int
    {
        request[name].flatMap { Int($0) } ?? other
    }

    private static let shapes = [
        // The page size is capped silently, whatever the request specifies; filters have operators.
        Shape(
            name: "a tracker with offsets and silent page caps",
            resource: """
                {path: things, envelope: items, pagination: offset, total: total_count,
                    delta: 'since:updated_on>updated_on=>={}', full: 24h}
                """,
            delta: "updated_on"
        ) { request, things in
            let operation = request["updated_on"] ?? ">="
            guard operation.hasPrefix(">=") else {
                return (422, [:], #"{"errors": ["updated_on is invalid"]}"#)
            }
            let changed = things.filter { $0.timestamp >= operation.dropFirst(2) }
            let offset = number(request, "offset", 0)
            let limit = min(4, number(request, "limit", 4))
            let page = changed.dropFirst(offset).prefix(limit)
            let body = """
                {"items": \(list(page)), "total_count": \(changed.count), "offset": \(offset),
                 "limit": \(limit)}
                """
            return (200, [:], body)
        },
        Shape(
            name: "a tracker with @links.next[0].uri",
            resource: """
                {path: things, envelope: items, pagination: 'next:@links.next', total: none,
                    delta: 'since:updated_on>activity={};', full: 24h}
                """,
            delta: "activity"
        ) { request, things in
            // A range of times, whose end may be left open.
            let range = request["activity"] ?? ";"
            guard range.hasSuffix(";") else {
                return (400, [:], #"{"message": "activity is invalid"}"#)
            }
            let changed = things.filter { $0.timestamp >= range.dropLast() }
            let cursor = number(request, "cursor", 0)
            let page = changed.dropFirst(cursor).prefix(4)
            let end = cursor + page.count
            let query = request["activity"].map { "activity=\($0)&" } ?? ""
            let next =
                end < changed.count ? #"[{"uri": "/api/things?\#(query)cursor=\#(end)"}]"# : "[]"
            return (200, [:], #"{"items": \#(list(page)), "@links": {"next": \#(next)}}"#)
        },
        // A page after the last one is an error.
        Shape(
            name: "a blog with X-Total-Pages and _links",
            service: ", preset: rails",
            resource: """
                {path: things, pagination: page, total: 'header:X-Total',
                    delta: 'since:updated_on>modified_after', full: 24h}
                """,
            delta: "modified_after"
        ) { request, things in
            let changed = things.filter { $0.timestamp > request["modified_after"] ?? "" }
            let page = number(request, "page", 1)
            let pages = max(1, (changed.count + 3) / 4)
            guard page <= pages else { return (400, [:], #"{"message": "invalid page"}"#) }
            let fields = ["X-Total": "\(changed.count)", "X-Total-Pages": "\(pages)"]
            let rows = list(changed.dropFirst(page * 4 - 4).prefix(4)) { thing in
                """
                {"id": \(thing.id), "title": "t\(thing.id)", "parent": 0, "updated_on": "\(thing.timestamp)",
                 "_links": {"self": [{"href": "http://h/\(thing.id)"}]}}
                """
            }
            return (200, fields, rows)
        },
        Shape(
            name: "a table browser with rows as arrays",
            resource: """
                {path: 'things?_shape=objects', envelope: rows, pagination: 'next:next_url',
                    total: filtered_count, delta: 'since:updated_on>updated_on__gt', full: 24h}
                """,
            delta: "updated_on__gt",
            rejection: "“rows” contains arrays (4)"
        ) { request, things in
            let changed = things.filter { $0.timestamp > request["updated_on__gt"] ?? "" }
            let start = number(request, "_next", 0)
            let page = changed.dropFirst(start).prefix(4)
            let isObjects = request["_shape"] == "objects"
            let rows =
                isObjects
                ? list(page) : list(page) { #"[\#($0.id), "t\#($0.id)", "\#($0.timestamp)"]"# }
            let end = start + page.count
            let query =
                (isObjects ? "_shape=objects&" : "")
                + (request["updated_on__gt"].map { "updated_on__gt=\($0)&" } ?? "")
            let next = end < changed.count ? "\"/api/things?\(query)_next=\(end)\"" : "null"
            let body = """
                {"columns": ["id", "title", "updated_on"], "rows": \(rows), "next_url": \(next),
                 "filtered_count": \(changed.count), "hints": [{"title": "x", "url": "http://x/?a"}]}
                """
            return (200, [:], body)
        },
        Shape(
            name: "a JSON:API server that returns 406 for plain JSON",
            service: ", preset: jsonapi",
            resource:
                "{path: things, delta: 'since:attributes.updated_on>filter[after]', full: 24h}",
            delta: "filter[after]"
        ) { request, things in
            let accepted = HTTPField.Name("Accept").flatMap { request.http.headerFields[$0] } ?? ""
            guard accepted.contains("application/vnd.api+json") else {
                return (406, [:], #"{"errors": [{"detail": "Not acceptable"}]}"#)
            }
            let changed = things.filter { $0.timestamp > request["filter[after]"] ?? "" }
            let start = number(request, "page[offset]", 0)
            let page = changed.dropFirst(start).prefix(4)
            let end = start + page.count
            let after = request["filter[after]"].map { "&filter%5Bafter%5D=\($0)" } ?? ""
            let next =
                end < changed.count ? "\"/api/things?page%5Boffset%5D=\(end)\(after)\"" : "null"
            let rows = list(page) {
                """
                {"type": "things", "id": "\($0.id)",
                 "attributes": {"title": "t\($0.id)", "updated_on": "\($0.timestamp)"}}
                """
            }
            return (
                200, ["Content-Type": "application/vnd.api+json"],
                #"{"data": \#(rows), "links": {"next": \#(next)}, "meta": {"total": \#(changed.count)}}"#
            )
        },
    ]

    /// Serves ten things, which a test can change, and records for each request whether it was one
    /// for changes.
    private func open(
        _ shape: Shape,
        _ body: (Folder, String, Locked<[Thing]>, Locked<[Bool]>) async throws -> Void
    ) async throws {
        let things = Locked((1...10).map { Thing(id: $0, day: $0) })
        let deltas = Locked<[Bool]>([])
        let dialect = FakeDialect(
            respond: { request, _ in
                guard request.path == shape.path else {
                    return FakeResponse([:], status: .notFound)
                }
                deltas.withLock { $0.append(request[shape.delta] != nil) }
                let (status, fields, text) = shape.respond(request, things.withLock { $0 })
                let type = fields["Content-Type"] ?? "application/json"
                var response = FakeResponse(
                    .bytes(Array(text.utf8), type: type),
                    status: .init(code: status)
                )
                for (name, value) in fields {
                    guard name != "Content-Type", let name = HTTPField.Name(name) else { continue }
                    response.fields[name] = value
                }
                return response
            }
        )
        let service = FakeService(data: FakeData([]), dialect: dialect)
        try await FakeServer.run(service) { url in
            try await body(try Folder(), url.absoluteString, things, deltas)
        }
    }

    private func expectEqual(_ folder: Folder, _ things: Locked<[Thing]>) async throws {
        let rows = try await folder.dump()["Thing"]?.elements ?? []
        let stored = rows.map { "\($0["title"] ?? .null)" }.sorted()
        let expected = things.withLock { $0.map { "\(JSON.string("t\($0.id)"))" } }.sorted()
        #expect(stored == expected)
    }

    @Test(arguments: shapes)
    func `a service is pulled by its URL alone, or rejected with the reason`(
        _ shape: Shape
    ) async throws {
        try await open(shape) { folder, url, things, _ in
            let outcome = try await folder.run("pull", url + shape.path, "--into", "s.db")
            if let rejection = shape.rejection {
                #expect(outcome.status == 65, "\(outcome)")
                #expect(outcome.stderr.contains(rejection), "\(outcome)")
                #expect(!folder.has("s.db"))
                return
            }
            #expect(outcome.status == 0, "\(outcome)")
            try await expectEqual(folder, things)
            things.withLock { things in
                things.removeAll { $0.id == 2 }
                things.append(Thing(id: 11, day: 11))
            }
            let again = try await folder.run("pull", "--store", "s.db")
            #expect(again.status == 0, "\(again)")
            try await expectEqual(folder, things)
        }
    }

    @Test(arguments: shapes)
    func `a short configuration describes a service and its requests for changes`(
        _ shape: Shape
    ) async throws {
        try await open(shape) { folder, url, things, deltas in
            let text = """
                store: s.db
                service: {url: "\(url)"\(shape.service)}
                resources:
                  Thing: \(shape.resource)

                """
            #expect(text.split(separator: "\n").count <= 15)
            try folder.write(text, to: "tidemark.yml")
            let first = try await folder.run("pull")
            #expect(first.status == 0, "\(first)")
            try await expectEqual(folder, things)
            things.withLock { things in
                things.append(Thing(id: 11, day: 12))
                things.append(Thing(id: 12, day: 13))
            }
            #expect(deltas.withLock { deltas in deltas.allSatisfy { !$0 } })
            deltas.withLock { $0 = [] }
            let second = try await folder.run("pull")
            #expect(second.status == 0, "\(second)")
            #expect(second.stderr == "")
            try await expectEqual(folder, things)
            #expect(deltas.withLock { deltas in !deltas.isEmpty && deltas.allSatisfy { $0 } })
            // Deletions are not reported as changes; a full pull finds them.
            things.withLock { things in things.removeAll { $0.id == 2 } }
            let whole = try await folder.run("pull", "--full")
            #expect(whole.status == 0, "\(whole)")
            try await expectEqual(folder, things)
        }
    }
}
