import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

extension RealMirror {
    /// Creates a collection in a new bucket of a Kinto server, with five records per page.
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
            Endpoints(rows: rows, list: rows, written: "data", listed: "data", http: http)
        )
        try await mirror.makeCollection()
        return mirror
    }

    /// Creates the bucket and the collection if they do not exist.
    func makeCollection() async throws {
        for address in [service.url, collection] {
            try await endpoints.http.send("PUT", address, ["data": [:]])
        }
    }

    /// Deletes the collection with its records and tombstones.
    func removeCollection() async throws {
        try await endpoints.http.send("DELETE", collection)
    }

    private var collection: URL { service.url.appending(path: "collections/tasks") }

    private static func basic(_ user: String) -> String {
        "Basic \(Data("\(user):test".utf8).base64EncodedString())"
    }

    /// The pagination of a Django REST framework list, and the path of the list.
    enum DjangoPages: String, CaseIterable, Sendable {
        case numbers = "tasks/"
        case offsets = "tasks-offset/"
        case cursors = "tasks-cursor/"
    }

    /// Creates a project at a Django REST framework service, with three tasks per page.
    static func django(_ pages: DjangoPages) async throws -> RealMirror {
        let server = try require("DRF")
        let rows = server.appending(path: "tasks/")
        let project = try await project(server.appending(path: "projects/"), { $0 })
        var mirror = try RealMirror(
            .rest(url: server),
            path: "\(pages.rawValue)?project=\(project)",
            key: .integer64,
            Endpoints(
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
            mirror.resource.style.stability = .stable
            mirror.resource.style.total = .none
        }
        return mirror
    }

    /// Creates a project at a Rails service, with three tasks per page.
    static func rails() async throws -> RealMirror {
        let server = try require("RAILS")
        let rows = server.appending(path: "tasks")
        let project = try await project(server.appending(path: "projects"), { ["project": $0] })
        return try RealMirror(
            .rails(url: server),
            path: "tasks?project_id=\(project)",
            key: .integer64,
            Endpoints(
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
        let response = try await PlainHTTP()
            .send("POST", address, wrap(["name": .string(UUID().uuidString)]))
        guard case .number(let id)? = response.json?["id"] else {
            throw PlainHTTP.UnexpectedResponse(description: "\(address) made no project.")
        }
        return id
    }

    private static func require(_ name: String) throws -> URL {
        guard let url = address(name) else {
            throw PlainHTTP.UnexpectedResponse(description: "TIDEMARK_TEST_\(name) is not set.")
        }
        return url
    }
}
