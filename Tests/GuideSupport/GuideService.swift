public import Foundation
import TidemarkFakeServer
import TidemarkFakeServices
public import TidemarkTesting

/// The services of the guides, whose code has no access to what is `package`.
public enum GuideService {
    /// Runs a closure while a service is available at a loopback address, and then stops its
    /// server.
    public static func run<Result: Sendable>(
        _ service: FakeService,
        body: (URL) async throws -> Result
    ) async throws -> Result {
        try await FakeServer.run(service, body: body)
    }

    /// A Parse server that can be written to, and recognizes repeated requests.
    public static var parse: FakeDialect {
        var dialect = FakeDialect.parse()
        var writes = FakeWrites()
        writes.keys = .letters
        writes.idempotency = "X-Parse-Request-Id"
        dialect.writes = writes
        return dialect
    }

    /// A Rails application that can be written to.
    public static var rails: FakeDialect {
        var dialect = FakeDialect.rails()
        dialect.writes = FakeWrites()
        return dialect
    }
}
