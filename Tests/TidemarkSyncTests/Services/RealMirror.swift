import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A list of tasks at a real service, created for one test, and a store that is synced with it.
struct RealMirror: Sendable {
    /// The URLs and formats of rows at the service, used independently of the code under test.
    struct Endpoints: Sendable {
        /// The URL at which rows are created.
        let rows: URL
        /// The URL of a list of all rows of the test.
        let list: URL
        /// The text after the identifier in the URL of a row.
        var ending = ""
        /// The member of a document that contains a row (`written`) or the rows of a list
        /// (`listed`).
        var written: String?
        var listed: String?
        /// The members that every row has.
        var common: FakeJSON = [:]
        var http = PlainHTTP()
    }

    let endpoints: Endpoints
    let service: Service
    var resource: RemoteResource
    let store: Store
    let clock = ManualClock()

    /// Creates an empty store for a list.
    init(_ service: Service, path: String, key: AttributeType, _ endpoints: Endpoints) throws {
        self.endpoints = endpoints
        self.service = service
        resource = service.resource("Task", path: path)
        store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Task",
                    primaryKey: ["id"],
                    attributes: [
                        Attribute("id", key), Attribute("title", .string),
                        Attribute("position", .integer64),
                    ]
                )
            ])
        )
    }

    /// Returns the URL of a service that is running for tests; nil if it is not running.
    static func address(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment["TIDEMARK_TEST_\(name)"].flatMap { URL(string: $0) }
    }
}

// MARK: - At the service

extension RealMirror {
    /// Creates a row, and returns its identifier.
    @discardableResult
    func create(_ title: String, position: Int = 0) async throws -> String {
        let row = common(["title": .string(title), "position": .number("\(position)")])
        let response = try await endpoints.http.send("POST", endpoints.rows, wrapped(row))
        let created = endpoints.written.flatMap { response.json?[$0] } ?? response.json
        return try Self.word(created?["id"])
    }

    /// Creates rows, one after the other, and returns their identifiers.
    @discardableResult
    func create(_ count: Int) async throws -> [String] {
        var created: [String] = []
        for number in 0..<count {
            created.append(try await create("task \(number)", position: number))
        }
        return created
    }

    /// Changes members of a row.
    func change(_ id: String, _ members: FakeJSON) async throws {
        try await endpoints.http.send("PATCH", address(id), wrapped(members))
    }

    /// Deletes a row.
    func remove(_ id: String) async throws {
        try await endpoints.http.send("DELETE", address(id))
    }

    /// Returns the rows of the service as a table.
    func remote() async throws -> String {
        var rows: [FakeJSON] = []
        var next: URL? = endpoints.list
        while let url = next {
            let response = try await endpoints.http.send("GET", url)
            let page = endpoints.listed.flatMap { response.json?[$0] } ?? response.json
            guard let objects = page?.elements else {
                throw PlainHTTP.UnexpectedResponse(description: "\(url) has no list.")
            }
            rows += objects
            next = response.next
        }
        return Self.table(
            try rows.map { row in
                try ["id", "title", "position"].map { try Self.word(row[$0]) }
                    .joined(separator: " | ")
            }
        )
    }

    private func address(_ id: String) -> URL {
        endpoints.rows.appending(path: "\(id)\(endpoints.ending)")
    }

    private func common(_ row: FakeJSON) -> FakeJSON {
        guard case .object(let members) = endpoints.common, case .object(let own) = row else {
            return row
        }
        return .object(members + own)
    }

    private func wrapped(_ row: FakeJSON) -> FakeJSON {
        endpoints.written.map { .object([FakeJSON.Member($0, row)]) } ?? row
    }

    private static func word(_ json: FakeJSON?) throws -> String {
        switch json {
        case .string(let text): return text
        case .number(let digits): return digits
        case .null, .bool, .array, .object, nil:
            throw PlainHTTP.UnexpectedResponse(
                description: "There is \(json.map { "\($0)" } ?? "nothing")."
            )
        }
    }

    private static func table(_ rows: [String]) -> String {
        (["id | title | position"] + rows.sorted()).joined(separator: "\n")
    }
}

// MARK: - In the store

extension RealMirror {
    /// Returns the rows of the store as a table.
    func local() throws -> String {
        Self.table(
            try store.writer.read { db in
                try String.fetchAll(
                    db,
                    sql: "SELECT id || ' | ' || title || ' | ' || position FROM Task"
                )
            }
        )
    }

    /// Expects the rows of the store to equal those of the service.
    func expectInSync(at location: SourceLocation = #_sourceLocation) async throws {
        #expect(try local() == (try await remote()), sourceLocation: location)
    }

    /// Pulls, and returns the report of the resource.
    @discardableResult
    func pull(
        over transport: any Transport,
        attempts: Int = 1,
        _ change: (inout PullOptions) -> Void = { _ in }
    ) async throws -> SyncReport.ResourceReport {
        var limits = Limits.longTimeout
        limits.http.attempts = attempts
        var options = PullOptions()
        change(&options)
        let engine = try SyncEngine(
            store: store,
            service: service,
            resources: [resource],
            transport: AnyTransport(transport),
            environment: clock.environment,
            limits: limits
        )
        let report = try await engine.report(options)
        return report.resources[resource.path] ?? SyncReport.ResourceReport("")
    }
}
