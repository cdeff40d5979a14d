import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

extension RealMirror {
    /// A collection of a Kinto server, in a bucket of its own, five records a page.
    static func kinto(user: String? = "test") async throws -> RealMirror {
        let server = try require("KINTO")
        let bucket = server.appending(path: "buckets/test-\(UUID().uuidString.lowercased())")
        let http = PlainHTTP(authorization: Self.basic("test"))
        let rows = bucket.appending(path: "collections/tasks/records")
        var service = Service.kinto(url: bucket)
        service.headers[.authorization] = user.map(basic)
        let mirror = try RealMirror(
            service,
            path: "collections/tasks/records",
            key: .string,
            Desk(rows: rows, list: rows, written: "data", listed: "data", http: http)
        )
        try await mirror.makeCollection()
        return mirror
    }

    /// Makes the collection, and the bucket that it is in, where they are not there.
    func makeCollection() async throws {
        for address in [service.url, collection] {
            try await desk.http.ask("PUT", address, ["data": [:]])
        }
    }

    /// Removes the collection, its records, and whatever is known of those that are gone.
    func removeCollection() async throws {
        try await desk.http.ask("DELETE", collection)
    }

    private var collection: URL { service.url.appending(path: "collections/tasks") }

    private static func basic(_ user: String) -> String {
        "Basic \(Data("\(user):test".utf8).base64EncodedString())"
    }

    /// How a list of Django REST framework goes on.
    enum DjangoPages: String, CaseIterable, Sendable {
        case numbers = "tasks/"
        case offsets = "tasks-offset/"
        case cursors = "tasks-cursor/"
    }

    /// The tasks of a project of their own at a service made with Django REST framework, three a
    /// page.
    static func django(_ pages: DjangoPages) async throws -> RealMirror {
        let server = try require("DRF")
        let rows = server.appending(path: "tasks/")
        let project = try await project(server.appending(path: "projects/"), { $0 })
        var mirror = try RealMirror(
            .rest(url: server),
            path: "\(pages.rawValue)?project=\(project)",
            key: .integer64,
            Desk(
                rows: rows,
                list: rows.appending(queryItems: [
                    URLQueryItem(name: "project", value: project),
                    URLQueryItem(name: "page_size", value: "1000"),
                ]),
                ending: "/",
                listed: "results",
                common: ["project": .number(project)]
            )
        )
        if pages == .cursors {
            mirror.resource.style.drift = .none
            mirror.resource.style.total = .none
        }
        return mirror
    }

    /// The tasks of a project of their own at a service made with Rails, three a page.
    static func rails() async throws -> RealMirror {
        let server = try require("RAILS")
        let rows = server.appending(path: "tasks")
        let project = try await project(server.appending(path: "projects"), { ["project": $0] })
        return try RealMirror(
            .rails(url: server),
            path: "tasks?project_id=\(project)",
            key: .integer64,
            Desk(
                rows: rows,
                list: rows.appending(queryItems: [
                    URLQueryItem(name: "project_id", value: project),
                    URLQueryItem(name: "per_page", value: "1000"),
                ]),
                written: "task",
                common: ["project_id": .number(project)]
            )
        )
    }

    private static func project(
        _ address: URL,
        _ wrap: (FakeJSON) -> FakeJSON
    ) async throws -> String {
        let answer = try await PlainHTTP()
            .ask("POST", address, wrap(["name": .string(UUID().uuidString)]))
        guard case .number(let id)? = answer.json?["id"] else {
            throw PlainHTTP.Refusal(description: "\(address) made no project.")
        }
        return id
    }

    private static func require(_ name: String) throws -> URL {
        guard let url = address(name) else {
            throw PlainHTTP.Refusal(description: "TIDEMARK_TEST_\(name) is not set.")
        }
        return url
    }
}
