import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

/// The projects and tasks of one test at a real service that accepts changes.
struct RealTasks: Sendable {
    /// A service that may be running for tests.
    enum Kind: String, CaseIterable, Sendable {
        case kinto, kintoPostgreSQL, django, rails

        /// The services that are running.
        static let running = allCases.filter { RealMirror.address($0.name) != nil }

        /// The running services that reject a project with the name of another one.
        static let unique = running.filter { !$0.isKinto }

        /// Whether the client chooses keys, and several changes are sent in one request.
        var isKinto: Bool { self == .kinto || self == .kintoPostgreSQL }

        /// The suffix of the environment variable that contains its URL.
        var name: String {
            switch self {
            case .kinto: "KINTO"
            case .kintoPostgreSQL: "KINTO_POSTGRESQL"
            case .django: "DRF"
            case .rails: "RAILS"
            }
        }
    }

    /// The objects of an entity at the service.
    enum Collection: String, Sendable {
        case projects, tasks
    }

    let kind: Kind
    let service: Service
    private let http: PlainHTTP

    /// Creates a space without projects and tasks.
    init(_ kind: Kind) async throws {
        guard let server = RealMirror.address(kind.name) else {
            throw PlainHTTP.UnexpectedResponse(description: "\(kind) is not running.")
        }
        self.kind = kind
        let space = UUID().uuidString.lowercased()
        var http = PlainHTTP()
        var service: Service
        switch kind {
        case .kinto, .kintoPostgreSQL:
            let user = "Basic \(Data("test:test".utf8).base64EncodedString())"
            http.authorization = user
            service = .kinto(url: server.appending(path: "buckets/push-\(space)"))
            service.headers[.authorization] = user
            service.push = .kinto
        case .django:
            service = .rest(url: server.appending(path: "spaces/\(space)/"))
            service.push = .rest
        case .rails:
            service = .rails(url: server.appending(path: "spaces/\(space)/"))
            service.push = .rails
            service.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
            service.push.reconcile = .resend
        }
        self.service = service
        self.http = http
        if kind.isKinto { try await makeCollections() }
    }

    private func makeCollections() async throws {
        try await http.send("PUT", service.url, ["data": [:]])
        let texts: FakeJSON = ["type": "string", "minLength": 1]
        let schema: FakeJSON = ["type": "object", "properties": ["title": texts, "name": texts]]
        for name in ["projects", "tasks"] {
            let url = service.url.appending(path: "collections/\(name)")
            try await http.send("PUT", url, ["data": ["schema": schema]])
        }
    }

    /// The lists that are synced.
    var resources: [RemoteResource] {
        [
            service.resource("Project", path: path(of: .projects)),
            service.resource("Task", path: path(of: .tasks)),
        ]
    }

    private func path(of collection: Collection) -> String {
        switch kind {
        case .kinto, .kintoPostgreSQL: "collections/\(collection)/records"
        case .django: "\(collection)/"
        case .rails: "\(collection)"
        }
    }

    /// The model of the stores.
    var model: Model {
        let key = Attribute("id", kind.isKinto ? .string : .integer64)
        let version =
            switch kind {
            case .kinto, .kintoPostgreSQL: Attribute("lastModified", .integer64)
            case .django: Attribute("updatedAt", .date)
            case .rails: Attribute("lockVersion", .integer64)
            }
        return Model(entities: [
            EntityDescription(
                "Project",
                attributes: [key, Attribute("name", .string), version],
                relationships: [.many("tasks", "Task", inverse: "project")]
            ),
            EntityDescription(
                "Task",
                attributes: [
                    key, Attribute("title", .string), Attribute("done", .boolean),
                    Attribute("position", .integer64), version,
                ],
                relationships: [
                    Relationship(
                        "project",
                        to: "Project",
                        inverse: "tasks",
                        referenceKeys: kind == .django ? ["project"] : []
                    )
                ]
            ),
        ])
    }
}

// MARK: - Another client

/// Requests that share no code with what is tested.
extension RealTasks {
    /// Creates a project, and tasks in it.
    ///
    /// - Returns: The keys of the tasks.
    @discardableResult
    func create(_ project: String, tasks: [String] = []) async throws -> [String] {
        let key = try await create(.projects, ["name": .string(project)])
        var keys: [String] = []
        for (position, title) in tasks.enumerated() {
            let task: FakeJSON = [
                "title": .string(title), "done": false, "position": .number("\(position)"),
                reference: kind.isKinto ? .string(key) : .number(key),
            ]
            keys.append(try await create(.tasks, task))
        }
        return keys
    }

    private func create(_ collection: Collection, _ object: FakeJSON) async throws -> String {
        let url = service.url.appending(path: path(of: collection))
        let response = try await http.send("POST", url, wrapped(object, collection))
        let created = kind.isKinto ? response.json?["data"] : response.json
        guard let key = Self.text(created?["id"]) else {
            throw PlainHTTP.UnexpectedResponse(description: "\(url) returned no key.")
        }
        return key
    }

    /// Changes members of a task.
    func edit(_ key: String, _ members: FakeJSON) async throws {
        try await http.send("PATCH", address(of: key), wrapped(members, .tasks))
    }

    /// Deletes a task.
    func remove(_ key: String) async throws {
        try await http.send("DELETE", address(of: key))
    }

    /// Returns all projects and tasks.
    func table() async throws -> TaskTable {
        let projects = try await objects(.projects).map { object in
            TaskTable.Project(key: Self.text(object["id"]), name: Self.text(object["name"]))
        }
        let tasks = try await objects(.tasks).map { object in
            TaskTable.Task(
                key: Self.text(object["id"]),
                title: Self.text(object["title"]),
                isDone: object["done"] == true,
                position: Self.text(object["position"]),
                project: Self.text(object[reference])
            )
        }
        return TaskTable(projects: projects, tasks: tasks)
    }

    /// Returns what has happened to records of a Kinto bucket, such as `create tasks/7`, without
    /// what was written there by the test itself.
    func history() async throws -> [String] {
        try await all(service.url.appending(path: "history")).compactMap { entry in
            guard let action = Self.text(entry["action"]), let uri = Self.text(entry["uri"]),
                uri.contains("/records/")
            else { return nil }
            return "\(action) \(uri.split(separator: "/").suffix(3).joined(separator: "/"))"
        }
        .sorted()
    }

    private var reference: String { kind == .django ? "project" : "project_id" }

    private func address(of key: String) -> URL {
        let path = "\(path(of: .tasks).trimming("/"))/\(key)"
        return service.url.appending(path: kind == .django ? "\(path)/" : path)
    }

    private func wrapped(_ object: FakeJSON, _ collection: Collection) -> FakeJSON {
        switch kind {
        case .kinto, .kintoPostgreSQL: ["data": object]
        case .django: object
        case .rails: .object([.init(String(collection.rawValue.dropLast()), object)])
        }
    }

    private func objects(_ collection: Collection) async throws -> [FakeJSON] {
        let url = service.url.appending(path: path(of: collection))
        return switch kind {
        case .kinto, .kintoPostgreSQL: try await all(url)
        case .django:
            try await all(url.appending(queryItems: [.init(name: "page_size", value: "1000")]))
        case .rails:
            try await all(url.appending(queryItems: [.init(name: "per_page", value: "1000")]))
        }
    }

    /// Returns the objects on all pages of a list.
    private func all(_ list: URL) async throws -> [FakeJSON] {
        var objects: [FakeJSON] = []
        var next: URL? = list
        while let url = next {
            let response = try await http.send("GET", url)
            let page = response.json?["data"] ?? response.json?["results"] ?? response.json
            guard let elements = page?.elements else {
                throw PlainHTTP.UnexpectedResponse(description: "\(url) has no list.")
            }
            objects += elements
            next = response.next
        }
        return objects
    }

    private static func text(_ json: FakeJSON?) -> String? {
        switch json {
        case .string(let text): text
        case .number(let digits): digits
        case .null, .bool, .array, .object, nil: nil
        }
    }
}

extension String {
    fileprivate func trimming(_ suffix: Character) -> String {
        last == suffix ? String(dropLast()) : self
    }
}
