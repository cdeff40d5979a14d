import Foundation
import TidemarkModel
import TidemarkTesting

/// A gate that blocks a request to a fake service until a test releases it.
final class RequestGate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let releases = AsyncStream<Void>.makeStream()

    deinit {
        releases.continuation.finish()
    }

    /// The environment of the service, in which a delay waits for the gate to open.
    var environment: SystemEnvironment {
        var environment = SystemEnvironment.manual()
        let (arrived, releases) = (arrivals.continuation, releases.stream)
        environment.sleep = { _ in
            arrived.yield()
            for await _ in releases { break }
        }
        return environment
    }

    /// Blocks the next request to a path.
    func block(_ path: String, of fake: FakeService) {
        fake.inject(.latency(.seconds(1)), times: 1, at: path)
    }

    /// Waits until a blocked request has arrived.
    func waitForRequest() async {
        for await _ in arrivals.stream { break }
    }

    /// Releases the blocked request.
    func open() {
        releases.continuation.yield()
    }
}
