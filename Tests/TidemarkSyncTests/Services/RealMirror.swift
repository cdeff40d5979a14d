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
    struct Desk: Sendable {
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

    let desk: Desk
    let service: Service
    var resource: RemoteResource
    let store: Store
    let clock = ManualClock()

    /// Creates an empty store for a list.
    init(_ service: Service, path: String, key: AttributeType, _ desk: Desk) throws {
        self.desk = desk
        self.service = service
        resource = service.resource("Task", path: path)
        store = try Store.watched(
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
        let answer = try await desk.http.ask("POST", desk.rows, wrapped(row))
        let made = desk.written.flatMap { answer.json?[$0] } ?? answer.json
        return try Self.word(made?["id"])
    }

    /// Creates rows, one after the other, and returns their identifiers.
    @discardableResult
    func create(_ count: Int) async throws -> [String] {
        var made: [String] = []
        for number in 0..<count {
            made.append(try await create("task \(number)", position: number))
        }
        return made
    }

    /// Changes members of a row.
    func change(_ id: String, _ members: FakeJSON) async throws {
        try await desk.http.ask("PATCH", address(id), wrapped(members))
    }

    /// Deletes a row.
    func remove(_ id: String) async throws {
        try await desk.http.ask("DELETE", address(id))
    }

    /// Returns the rows of the service as a table.
    func remote() async throws -> String {
        var rows: [FakeJSON] = []
        var next: URL? = desk.list
        while let url = next {
            let answer = try await desk.http.ask("GET", url)
            let page = desk.listed.flatMap { answer.json?[$0] } ?? answer.json
            guard let objects = page?.elements else {
                throw PlainHTTP.Refusal(description: "\(url) has no list.")
            }
            rows += objects
            next = answer.next
        }
        return Self.table(
            try rows.map { row in
                try ["id", "title", "position"].map { try Self.word(row[$0]) }
                    .joined(separator: " | ")
            }
        )
    }

    private func address(_ id: String) -> URL {
        desk.rows.appending(path: "\(id)\(desk.ending)")
    }

    private func common(_ row: FakeJSON) -> FakeJSON {
        guard case .object(let members) = desk.common, case .object(let own) = row else {
            return row
        }
        return .object(members + own)
    }

    private func wrapped(_ row: FakeJSON) -> FakeJSON {
        desk.written.map { .object([FakeJSON.Member($0, row)]) } ?? row
    }

    private static func word(_ json: FakeJSON?) throws -> String {
        switch json {
        case .string(let text): return text
        case .number(let digits): return digits
        case .null, .bool, .array, .object, nil:
            throw PlainHTTP.Refusal(description: "There is \(json.map { "\($0)" } ?? "nothing").")
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
    func expectAlike(at location: SourceLocation = #_sourceLocation) async throws {
        #expect(try local() == (try await remote()), sourceLocation: location)
    }

    /// Pulls, and returns the report of the resource.
    @discardableResult
    func pull(
        over transport: any Transport,
        attempts: Int = 1,
        _ change: (inout PullOptions) -> Void = { _ in }
    ) async throws -> SyncReport.ResourceReport {
        var limits = Limits.patient
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
