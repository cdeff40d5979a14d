import Foundation
import TidemarkModel
import TidemarkTesting

/// A gate that holds a request to a fake service until a test releases it.
final class Gate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let departures = AsyncStream<Void>.makeStream()

    deinit {
        departures.continuation.finish()
    }

    /// The environment of the service, in which a delay waits for the gate to open.
    var environment: SystemEnvironment {
        var environment = SystemEnvironment.manual()
        let (arrived, departures) = (arrivals.continuation, departures.stream)
        environment.sleep = { _ in
            arrived.yield()
            for await _ in departures { break }
        }
        return environment
    }

    /// Holds the next request to a path.
    func hold(_ path: String, of fake: FakeService) {
        fake.misbehave(.latency(.seconds(1)), times: 1, at: path)
    }

    /// Waits until a held request has arrived.
    func arrival() async {
        for await _ in arrivals.stream { break }
    }

    /// Releases the held request.
    func open() {
        departures.continuation.yield()
    }
}
