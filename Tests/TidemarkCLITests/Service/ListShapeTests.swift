import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkTesting

/// Lists of three pages in the shapes of services that many use: by its URL alone each is read
/// whole, or not taken for whole, with the reason; and a short configuration reads it whole.
///
/// The shapes are in `Lists/services.json`, which the documentation of the services was read for.
@Suite(.timeLimit(.minutes(40)))
struct ListShapeTests {
    /// A service that answers the requests for three pages.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String

        /// The query parameter that selects the page, and its value for the first one; nil if the
        /// path selects it.
        let parameter: String?
        let first: String?

        let pages: [Page]

        /// The response to a request for another page; nil if it is an error.
        let beyond: Answer?

        /// The lines of `tidemark.yml` and of the model; nil if the URL is enough.
        let yml: [String]?
        let model: [String]?

        /// What the message says if the URL alone is not enough, and the exit status then.
        let reason: String?
        let status: Int32

        var testDescription: String { name }

        init(_ object: [String: Any]) throws {
            name = try #require(object["name"] as? String)
            parameter = object["parameter"] as? String
            first = object["first"] as? String
            pages = try #require(object["pages"] as? [[String: Any]]).map { try Page($0) }
            beyond = try (object["beyond"] as? [String: Any]).map { try Answer($0) }
            yml = object["yml"] as? [String]
            model = object["model"] as? [String]
            reason = object["reason"] as? String
            status = Int32(object["status"] as? Int ?? 0)
        }
    }

    struct Page: Sendable {
        let path: String
        let query: [String: String]
        let answer: Answer

        init(_ object: [String: Any]) throws {
            path = try #require(object["path"] as? String)
            query = try #require(object["query"] as? [String: String])
            answer = try Answer(try #require(object["answer"] as? [String: Any]))
        }
    }

    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let text: String

        init(_ object: [String: Any]) throws {
            status = object["status"] as? Int ?? 200
            headers = try #require(object["headers"] as? [String: String])
            let body = try JSONSerialization.data(
                withJSONObject: try #require(object["body"]),
                options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            )
            text = String(decoding: body, as: UTF8.self)
        }
    }

    /// The number of objects of each list.
    private static let count = 8

    /// The origin in the shapes, which is replaced by that of the server.
    private static let origin = "https://api.example.com"

    static let shapes: [Shape] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Lists/services.json")
        do {
            let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            return try #require(json as? [[String: Any]]).map { try Shape($0) }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private func open(
        _ shape: Shape,
        _ body: (Folder, String) async throws -> Void
    ) async throws {
        let dialect = FakeDialect(respond: { request, _ in shape.answer(to: request) })
        try await FakeServer.run(FakeService(data: FakeData([]), dialect: dialect, path: "/")) {
            try await body(try Folder(), String($0.absoluteString.dropLast()))
        }
    }

    /// Returns the number of rows of each entity.
    private func rows(_ folder: Folder) async throws -> [Int] {
        let entities = try await folder.dump("list.sqlite")
        return entities.keys.map { entities[$0]?.elements.count ?? 0 }
    }

    private func escaped(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
    }

    @Test(arguments: shapes)
    func `a list is read whole by its URL, or not taken for whole`(_ shape: Shape) async throws {
        try await open(shape) { folder, origin in
            let page = try #require(shape.pages.first)
            let query = page.query.sorted { $0.key < $1.key }
                .map { "\($0.key)=\(escaped($0.value))" }.joined(separator: "&")
            let address = origin + page.path + (query.isEmpty ? "" : "?\(query)")
            for _ in 1...2 {
                let outcome = try await folder.run("pull", address, "--into", "list.sqlite")
                #expect(outcome.status == shape.status, "\(outcome)")
                guard let reason = shape.reason else {
                    #expect(try await rows(folder).contains(Self.count), "\(outcome)")
                    continue
                }
                #expect(outcome.stderr.contains(reason), "\(outcome)")
            }
        }
    }

    @Test(arguments: shapes.filter { $0.yml != nil })
    func `a list is read whole with a short configuration`(_ shape: Shape) async throws {
        try await open(shape) { folder, origin in
            let lines = try #require(shape.yml)
            #expect(lines.count <= 15)
            let text = lines.joined(separator: "\n").replacing(Self.origin, with: origin)
            try folder.write(text + "\n", to: "tidemark.yml")
            if let model = shape.model {
                try folder.write(model.joined(separator: "\n") + "\n", to: "model.yml")
            }
            for _ in 1...2 {
                let outcome = try await folder.run("pull")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await rows(folder).contains(Self.count), "\(outcome)")
            }
        }
    }

    @Test func `the shapes are those of at least fifty services`() {
        #expect(Self.shapes.count >= 50)
        #expect(Set(Self.shapes.map(\.name)).count == Self.shapes.count)
    }
}

extension ListShapeTests.Shape {
    fileprivate func answer(to request: FakeDialect.Request) -> FakeResponse {
        let path = Self.plain("/" + request.path)
        let pages = pages.filter { Self.plain($0.path) == path }
        guard !pages.isEmpty else {
            return FakeResponse(["error": "not found"], status: .notFound)
        }
        let value = parameter.flatMap { request[$0] }
        let page =
            pages.first { page in parameter.map { page.query[$0] == value } ?? true }
            ?? (value == nil || value == first ? pages.first : nil)
        return response(page?.answer ?? beyond, base: request.base)
    }

    /// Returns a path without what services accept at its end.
    private static func plain(_ path: String) -> Substring {
        let path = path.removingPercentEncoding ?? path
        return path.hasSuffix("/")
            ? path.dropLast() : path.hasSuffix(".json") ? path.dropLast(5) : path[...]
    }

    private func response(_ answer: ListShapeTests.Answer?, base: String) -> FakeResponse {
        guard let answer else {
            return FakeResponse(["error": "no such page"], status: .badRequest)
        }
        let origin = String(base.dropLast())
        let text = answer.text.replacing("https://api.example.com", with: origin)
        var response = FakeResponse(
            .bytes(Array(text.utf8), type: answer.headers["Content-Type"] ?? "application/json"),
            status: .init(code: answer.status)
        )
        for (name, value) in answer.headers where name != "Content-Type" {
            response.set(name, to: value.replacing("https://api.example.com", with: origin))
        }
        return response
    }
}
