import Foundation
import HTTPTypes
import Logging
import MetricsTestKit
import Synchronization
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// The log messages and the metrics of pulls.
struct LogTests {
    /// Returns an engine that logs and measures, with secrets wherever they can occur.
    private static func engine(
        _ mirror: Mirror,
        _ log: Lines,
        _ metrics: TestMetrics = TestMetrics()
    ) throws -> SyncEngine {
        var service = mirror.service
        service.headers[.authorization] = "Bearer s3cret-header"
        service.query = [QueryItem("app", "s3cret-query")]
        return try SyncEngine(
            store: mirror.store,
            service: service,
            resources: [mirror.resource],
            transport: mirror.fake,
            credentials: Credentials(fields: { _ in [.authorization: "Bearer s3cret-credential"] }),
            environment: mirror.clock.environment,
            limits: .longTimeout,
            logger: Logger(label: "test") { _ in Lines.Writer(log: log) },
            metricsFactory: metrics
        )
    }

    @Test func `a pull logs few lines, and its pages and requests at debug level`() async throws {
        let mirror = try Mirror(.rest, notes: 4)
        let log = Lines()
        _ = try await Self.engine(mirror, log).pull()
        #expect(
            log.text.replacing(/bytes=\d+/, with: "bytes=…") == """
                info A pull begins. resources=1
                debug A request was sent. duration=0 s method=GET status=200 \
                url=\(mirror.fake.url.absoluteString)notes/
                debug A page is in the store. done=3 expected=4 resource=notes/
                debug A request was sent. duration=0 s method=GET status=200 \
                url=\(mirror.fake.url.absoluteString)notes/?page=2
                debug A page is in the store. done=4 expected=4 resource=notes/
                info A resource was pulled. deleted=0 inserted=4 resource=notes/ unchanged=0 updated=0
                info The pull has ended. bytes=… complete=true duration=0 s requests=2
                """
        )
    }

    @Test(arguments: Mirror.Dialect.plain, faults)
    func `no log line, error or table contains a secret`(
        _ dialect: Mirror.Dialect,
        _ fault: FakeFault
    ) async throws {
        let mirror = try Mirror(dialect)
        let log = Lines()
        let engine = try Self.engine(mirror, log)
        mirror.fake.inject(fault, times: 3)
        var words = ""
        for _ in 0..<3 {
            let report = try await engine.report()
            words += report.resources.values.compactMap(\.failure).map { "\($0)" }.joined()
            mirror.clock.advance(by: .seconds(3_600))
        }
        words += log.text + (try mirror.everything())
        #expect(log.text.contains("A request was sent."))
        #expect(!words.contains("s3cret"))
    }

    private static let faults: [FakeFault] = [
        .latency(.zero), .status(500), .status(401), .status(404), .status(403), .connectionClosed,
        .html, .truncatedBody(after: 10), .cyclicNextLink,
    ]

    @Test func `the documented metrics are recorded`() async throws {
        let mirror = try Mirror(.rest, notes: 4)
        let metrics = TestMetrics()
        let engine = try Self.engine(mirror, Lines(), metrics)
        mirror.fake.inject(.status(500), times: 1)
        _ = try await engine.pull()
        func count(_ label: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
            try metrics.expectCounter("tidemark_\(label)", dimensions).totalValue
        }
        #expect(try count("pulls", [("outcome", "complete")]) == 1)
        #expect(try count("requests", [("status", "2xx")]) == 2)
        #expect(try count("requests", [("status", "5xx")]) == 1)
        #expect(try count("retries") == 1)
        #expect(try count("rows", [("entity", "Note"), ("change", "inserted")]) == 4)
        #expect(try count("received_bytes") > 100)
        #expect(try metrics.expectTimer("tidemark_pull_duration").values.count == 1)
        #expect(try metrics.expectTimer("tidemark_request_duration").values.count == 3)
        let resource = [("resource", "notes/"), ("ending", "complete")]
        #expect(
            try metrics.expectTimer("tidemark_resource_duration", resource).values.count == 1
        )
    }

    @Test func `a dry run marks each log line, and records only the metrics of requests`()
        async throws
    {
        let mirror = try Mirror(.rest, notes: 4)
        let (log, metrics) = (Lines(), TestMetrics())
        let engine = try Self.engine(mirror, log, metrics)
        mirror.fake.inject(.status(500), times: 1)
        _ = try await engine.dryRunEngine().pull()
        let lines = log.text.split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines.allSatisfy { $0.contains(" dry_run=true") })
        #expect(
            Set(metrics.counters.map(\.label)) == [
                "tidemark_requests", "tidemark_received_bytes", "tidemark_retries",
            ]
        )
        #expect(Set(metrics.timers.map(\.label)) == ["tidemark_request_duration"])
        // A later pull of the same engine is logged without the mark.
        _ = try await engine.pull()
        let others = log.text.split(separator: "\n").dropFirst(lines.count)
        #expect(others.count == 7)
        #expect(!others.contains { $0.contains("dry_run") })
    }
}

/// The lines of a log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// A log handler that appends to the lines.
    struct Writer: LogHandler {
        let log: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let words = metadata.merging(event.metadata ?? [:]) { $1 }
                .map { "\($0)=\($1)" }.sorted()
            let line = ["\(event.level)", "\(event.message)"] + words
            log.lines.withLock { $0.append(line.joined(separator: " ")) }
        }
    }
}
