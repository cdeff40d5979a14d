import GRDB
import HTTPTypes
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

import struct Foundation.URL

/// A service whose responses a test specifies.
///
/// A response with status 200 has a validator, which the service evaluates in conditional requests:
/// `Last-Modified` if the test specifies it, otherwise an entity tag.
final class ScriptedService: Transport {
    /// A response of the service.
    struct Response: Sendable {
        var body: String
        var status = 200
        var fields: HTTPFields = [:]
    }

    private let responses = Locked<[String: Response]>([:])
    private let log = Locked<[String]>([])

    static let url = FakeService(collections: [:], dialect: .rest(pageSize: 1)).url

    /// The body of the response to a path with its query.
    subscript(path: String) -> String? {
        get { responses.withLock { $0[path]?.body } }
        set { responses.withLock { $0[path] = newValue.map { Response(body: $0) } } }
    }

    /// Sets the whole response to a path with its query.
    func respond(to path: String, _ response: Response) {
        responses.withLock { $0[path] = response }
    }

    /// Returns the requests since the last call, such as `GET /users 200`.
    func takeRequests() -> [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let path = (request.path ?? "").replacing("/api/", with: "/")
        let response =
            responses.withLock { $0[path] } ?? Response(body: #"{"detail": "?"}"#, status: 404)
        var head = HTTPResponse(
            status: .init(code: response.status),
            headerFields: response.fields
        )
        head.headerFields[.contentType] = "application/json"
        var bytes = request.method == .head ? [] : Array(response.body.utf8)
        if response.status == 200 {
            var validator = (name: HTTPField.Name.eTag, condition: HTTPField.Name.ifNoneMatch)
            var value = "\"\(Fingerprint(Array(response.body.utf8)).text)\""
            if let modified = response.fields[.lastModified] {
                validator = (.lastModified, .ifModifiedSince)
                value = modified
            }
            head.headerFields[validator.name] = value
            if request.headerFields[validator.condition] == value {
                head = HTTPResponse(status: .notModified, headerFields: [validator.name: value])
                bytes = []
            }
        }
        log.withLock { $0.append("\(request.method.rawValue) \(path) \(head.status.code)") }
        return TransportResponse(to: request, head: head, body: ResponseBody(bytes))
    }
}

/// A store for a scripted service.
struct ScriptedMirror {
    let service = ScriptedService()
    let store: Store
    var resources: [RemoteResource]

    /// The environment of all engines, so that no two of their runs have the same identifier.
    private let environment = TidemarkModel.SystemEnvironment.manual()

    init(_ model: Model, _ resources: [(entity: String, path: String)]) throws {
        store = try Store.validated(model: model)
        let rest = Service.rest(url: ScriptedService.url)
        self.resources = resources.map { rest.resource($0.entity, path: $0.path) }
    }

    func engine(
        concurrency: Int = 1,
        by importer: Importer? = nil,
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> SyncEngine {
        var limits = Limits.longTimeout
        limits.http.attempts = 1
        limits.concurrency = concurrency
        change(&limits)
        return try SyncEngine(
            store: store,
            service: .rest(url: ScriptedService.url),
            resources: resources,
            transport: service,
            importer: importer,
            environment: environment,
            limits: limits
        )
    }

    @discardableResult
    func pull(_ change: (inout PullOptions) -> Void = { _ in }) async throws -> SyncReport {
        var options = PullOptions()
        change(&options)
        return try await engine().report(options)
    }

    func count(_ entity: String) throws -> Int {
        try store.read { db in try db.count(entity) }
    }
}
