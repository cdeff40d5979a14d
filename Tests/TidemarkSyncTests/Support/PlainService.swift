import Foundation
import HTTPTypes
import MetricsTestKit
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A service of plain lists, to which a test adds rules of its own.
///
/// `POST` to a list creates an object, `PATCH` and `PUT` of an object assign the members of the
/// body, `DELETE` deletes it. Responses contain the object.
final class PlainService: Transport {
    /// The objects of each list.
    typealias Lists = [String: [FakeJSON]]

    struct Request: Sendable {
        let method: String
        let steps: [String]
        let query: [String: String]
        let fields: HTTPFields
        let body: FakeJSON?
        let text: String
    }

    struct Response: Sendable {
        var status = 200
        var body: FakeJSON?
        var fields: HTTPFields = [:]

        /// A body of plain text instead.
        var text: String?
    }

    /// What a test does with a request instead of the usual; nil for the usual.
    typealias Rule = @Sendable (Request, inout Lists) -> Response?

    private struct State: Sendable {
        var lists: Lists
        var requests: [Request] = []
        var next = 1_000
    }

    private let state: Locked<State>
    private let rule: Rule

    static let url = ScriptedService.url

    init(_ lists: Lists, _ rule: @escaping Rule = { _, _ in nil }) {
        state = Locked(State(lists: lists))
        self.rule = rule
    }

    /// The object of a list with a key.
    subscript(list: String, key: Int) -> FakeJSON? {
        get { state.withLock { $0.lists[list]?.first { $0["id"] == .number("\(key)") } } }
        set {
            state.withLock { state in
                let index = state.lists[list]?.firstIndex { $0["id"] == .number("\(key)") }
                if let index, let newValue { state.lists[list]?[index] = newValue }
            }
        }
    }

    /// Adds an object to a list, as another client does.
    func add(_ list: String, _ object: FakeJSON, key: Int) {
        var object = object
        object["id"] = .number("\(key)")
        state.withLock { [object] in $0.lists[list]?.append(object) }
    }

    /// Reverses the order of a list.
    func reverse(_ list: String) {
        state.withLock { $0.lists[list]?.reverse() }
    }

    /// Deletes an object, as another client does.
    func remove(_ list: String, _ key: Int) {
        state.withLock { $0.lists[list]?.removeAll { $0["id"] == .number("\(key)") } }
    }

    /// The bodies of the requests that have changed something, or were to, since the last call.
    func takeWrites() -> [String] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests.filter { $0.method != "GET" }
                .map { "\($0.method) \($0.steps.joined(separator: "/")) \($0.text)" }
        }
    }

    /// The requests that only read, since the last call of ``takeWrites()``.
    var reads: [String] {
        state.withLock { state in
            state.requests.filter { $0.method == "GET" }.map { $0.steps.joined(separator: "/") }
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let url = URLComponents(string: request.path ?? "")
        let query = (url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let received = Request(
            method: request.method.rawValue,
            steps: (url?.path ?? "").split(separator: "/").dropFirst().map(String.init),
            query: Dictionary(query, uniquingKeysWith: { first, _ in first }),
            fields: request.headerFields,
            body: try body.map { try FakeJSON(parsing: $0) },
            text: String(decoding: body ?? [], as: UTF8.self)
        )
        let response = state.withLock { state in
            state.requests.append(received)
            return rule(received, &state.lists) ?? Self.respond(to: received, &state)
        }
        var head = HTTPResponse(status: .init(code: response.status), headerFields: response.fields)
        head.headerFields[.contentType] =
            response.text == nil ? "application/json" : "text/plain; charset=utf-8"
        let bytes = Array((response.text ?? response.body?.description ?? "").utf8)
        return TransportResponse(to: request, head: head, body: ResponseBody(bytes))
    }

    private static func respond(to request: Request, _ state: inout State) -> Response {
        guard let list = request.steps.first, let objects = state.lists[list] else {
            return Response(status: 404, body: ["detail": "Not found."])
        }
        guard request.steps.count > 1 else {
            guard request.method == "POST" else { return Response(body: .array(objects)) }
            var object: FakeJSON = ["id": .number("\(state.next)")]
            state.next += 1
            object.assign(request.body ?? [:])
            state.lists[list]?.append(object)
            return Response(status: 201, body: object)
        }
        let index = objects.firstIndex { $0["id"]?.description == request.steps[1] }
        guard let index else { return Response(status: 404, body: ["detail": "Not found."]) }
        switch request.method {
        case "PATCH", "PUT": state.lists[list]?[index].assign(request.body ?? [:])
        case "DELETE":
            state.lists[list]?.remove(at: index)
            return Response(status: 204)
        default: break
        }
        return Response(body: state.lists[list]?[index])
    }
}

extension FakeJSON {
    /// Assigns the members of another object.
    mutating func assign(_ other: FakeJSON) {
        guard case .object(let members) = other else { return }
        for member in members { self[member.name] = member.value }
    }
}

/// A store that is synced with a plain service.
struct PlainMirror {
    var service: PlainService
    let store: Store
    var remote = Service.rest(url: PlainService.url)
    var resources: [RemoteResource]

    /// Receives the events of all runs.
    var onEvent: @Sendable (SyncEvent) -> Void = { _ in }

    /// Who decides conflicts.
    var conflicts = ConflictPolicies()

    /// What counts the runs; nil for nothing.
    var metrics: TestMetrics?

    let clock = ManualClock(seed: 1)

    /// The environment of all engines, so that no two of their runs have the same identifier.
    private let environment: TidemarkModel.SystemEnvironment

    init(
        _ model: Model,
        _ resources: [(entity: String, path: String)],
        with service: PlainService,
        _ push: PushStyle = .rest,
        _ change: (inout RemoteResource) -> Void = { _ in }
    ) throws {
        self.service = service
        environment = clock.environment
        store = try Store.validated(model: model)
        remote.push = push
        remote.style.envelope = .none
        self.resources = resources.map { [remote] in
            var resource = remote.resource($0.entity, path: $0.path)
            change(&resource)
            return resource
        }
    }

    func engine(_ change: (inout Limits) -> Void = { _ in }) throws -> SyncEngine {
        var limits = Limits.longTimeout
        limits.http.attempts = 1
        limits.concurrency = 1
        change(&limits)
        return try SyncEngine(
            store: store,
            service: remote,
            resources: resources,
            transport: AnyTransport(service),
            conflicts: conflicts,
            environment: environment,
            limits: limits,
            metricsFactory: metrics,
            onEvent: onEvent
        )
    }

    /// Pulls, and lets edits be recorded from then on.
    func pull() async throws {
        _ = try await engine().pull()
        _ = service.takeWrites()
    }

    func push() async throws -> PushReport { try await engine().push() }

    func update(
        _ row: String,
        _ values: [String: Value] = [:],
        links: [String: [RecordLocator]] = [:]
    ) async throws {
        let locator = try RecordLocator(row)
        try await store.write { writer in
            _ = try writer.update(locator, values: values, links: links)
        }
    }

    /// The local changes that are left, with the reasons.
    func changes() throws -> [String] {
        try store.read { reader in
            try Outbox(store).changes(reader.db).map { change in
                let reason = change.attempts.reason.map { ": \($0)" } ?? ""
                return "\(change.row) \(change.kind), \(change.state)\(reason)"
            }
        }
    }

    /// The recorded forms of an entity's members.
    func forms(of entity: String) throws -> [String: String] {
        try store.read { reader in
            try ObservedNames.read(reader.db)[entity]?.forms.mapValues(\.form.stored) ?? [:]
        }
    }
}
