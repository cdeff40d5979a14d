#if Tracing
import Foundation
import InMemoryTracing
import Testing
import TidemarkModel
import TidemarkSync
import TidemarkTesting
import Tracing

/// The spans of a pull, if the package is built with the trait `Tracing`.
struct SpanTests {
    /// The tracer of the process, which concurrent tests share.
    private static let tracer: InMemoryTracer = {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        return tracer
    }()

    /// Returns the spans that `body` creates, in the order in which they end.
    private static func spans(
        _ body: () async throws -> Void
    ) async throws -> [FinishedInMemorySpan] {
        let trace = try await tracer.withSpan("test") { span in
            try await body()
            return span.traceID
        }
        return tracer.finishedSpans.filter { $0.traceID == trace }
    }

    @Test func `the span of a pull contains those of its resources, requests and pages`()
        async throws
    {
        let mirror = try Mirror(.rest, notes: 4)
        let spans = try await Self.spans { _ = try await mirror.engine().pull() }
        let names = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0.operationName) })
        let lines = spans.map { span in
            "\(span.operationName) < \(span.parentSpanID.flatMap { names[$0] } ?? "nothing")"
        }
        #expect(
            lines == [
                "tidemark.request < tidemark.resource", "tidemark.apply < tidemark.resource",
                "tidemark.request < tidemark.resource", "tidemark.apply < tidemark.resource",
                "tidemark.resource < tidemark.pull", "tidemark.pull < test", "test < nothing",
            ]
        )
        #expect(
            spans.first?.attributes.get("url.full")
                == .string("\(mirror.fake.url.absoluteString)notes/")
        )
        let dryRun = try await Self.spans { _ = try await mirror.engine().dryRunEngine().pull() }
        let marks = [spans, dryRun].map { all in
            all.filter { $0.operationName == "tidemark.pull" }
                .map { $0.attributes.get("dry_run") }
        }
        #expect(marks == [[nil], [.string("true")]])
    }

    @Test func `an error is recorded on the span that it ends`() async throws {
        let mirror = try Mirror(.rest)
        mirror.fake.inject(.connectionClosed, times: 99)
        let spans = try await Self.spans {
            _ = try await mirror.engine { $0.http.attempts = 1 }.report()
        }
        let failed = spans.filter { !$0.errors.isEmpty }
        #expect(failed.map(\.operationName) == ["tidemark.request"])
    }
}
#endif
