import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServer
import TidemarkTesting

/// A service that no preset describes, with the files that describe it.
struct ForeignService: Sendable, CustomTestStringConvertible {
    let name: String

    /// How the service responds, and the path of its one collection in the data.
    var dialect: FakeDialect
    let collection: String
    let objects: [FakeJSON]

    /// The entity of the objects: its title is `title`, and another text `text`.
    let entity: String
    let model: String

    /// What follows the URL in the section `service`, and the text of the resource.
    let service: String
    let resource: String

    /// Returns an object at the service in one line: its title and its text.
    let shown: @Sendable (FakeJSON) -> String

    /// The path of a request to one object.
    let path: @Sendable (Int) -> String

    /// The body of the request that changes the title of the first object to `mine`.
    let titleBody: String

    /// What another client changes: the text of an object.
    let editText: @Sendable (inout FakeData, Int, String) -> Void

    /// A value that the service rejects, and what it says about that.
    let invalid: (values: String, reason: String)

    var testDescription: String { name }

    static let all = [
        redmine, roundup, wordPress, wooCommerce, django, postgREST, fhir, couchDB, datasette,
    ]

    /// Runs a closure while the service is available, with a store of its objects.
    func open(_ body: (ForeignStore) async throws -> Void) async throws {
        var dialect = dialect
        dialect.writes = FakeWrites()
        let fake = FakeService(
            data: FakeData([(name: collection, objects: objects)]),
            dialect: dialect
        )
        try await FakeServer.run(fake) { url in
            let store = ForeignStore(service: self, fake: fake, folder: try Folder())
            try store.folder.write(model, to: "model.yml")
            try store.folder.write(
                """
                store: s.db
                model: model.yml
                service:
                  url: \(url.absoluteString)
                  limits: {attempts: 1, concurrency: 2}
                \(service)
                resources:
                  \(entity): \(resource)
                """,
                to: "tidemark.yml"
            )
            _ = try await store.folder.done("pull")
            fake.clearRequests()
            try await body(store)
        }
    }
}

/// A folder with a configuration for a foreign service, and a store of its objects.
struct ForeignStore: Sendable {
    let service: ForeignService
    let fake: FakeService
    let folder: Folder

    /// The titles and texts of the service's objects, by key.
    var objects: [String] {
        (fake.data[objects: service.collection] ?? []).map(service.shown).sorted()
    }

    /// The titles and texts of the rows, by key.
    func rows() async throws -> [String] {
        try await folder.dump("s.db")[service.entity]?.elements.map { row in
            let key =
                if case .number(let number)? = row["id"] { "\(Int(number))" } else {
                    row["id"]?.string ?? "–"
                }
            return "\(key) \(row["title"]?.string ?? "–"), \(row["text"]?.string ?? "–")"
        }.sorted() ?? []
    }

    /// The requests that changed something, with the status of their responses.
    var writes: [String] {
        fake.requests.filter { $0.request.method != .get }
            .map { "\($0.request.method) \($0.request.path ?? "") \($0.status ?? 0)" }
    }

    /// The bodies of those requests.
    var bodies: [String] {
        fake.requests.compactMap { request in
            request.body.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The local changes that are left.
    func changes() async throws -> [String] {
        let list = try await folder.done("outbox", "list", "--format", "json").json()
        return list["changes"]?.elements.map { change in
            ["row", "kind", "state"].compactMap { change[$0]?.string }.joined(separator: " ")
        } ?? []
    }

    func update(_ key: Int, _ values: String) async throws {
        try await edit("update", "\(service.entity):\(key)", "--values", values)
    }

    func insert(_ values: String) async throws {
        try await edit("insert", service.entity, "--values", values)
    }

    func delete(_ key: Int) async throws {
        try await edit("delete", "\(service.entity):\(key)")
    }

    /// Runs a verb that changes rows, which has nothing to remark: the changes are sent.
    private func edit(_ arguments: String...) async throws {
        let outcome = try await folder.run(arguments)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.stderr == "")
    }
}
