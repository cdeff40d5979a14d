import Foundation
import TidemarkModel
import TidemarkTesting

/// A place where a request to a fake service waits until somebody lets it go on.
final class Gate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let departures = AsyncStream<Void>.makeStream()

    deinit {
        departures.continuation.finish()
    }

    /// The environment of the service: who waits by it waits here.
    var environment: SystemEnvironment {
        var environment = SystemEnvironment.manual()
        let (arrived, departures) = (arrivals.continuation, departures.stream)
        environment.sleep = { _ in
            arrived.yield()
            for await _ in departures { break }
        }
        return environment
    }

    /// Lets the next request to a path wait.
    func hold(_ path: String, of fake: FakeService) {
        fake.misbehave(.latency(.seconds(1)), times: 1, at: path)
    }

    /// Waits until a request has come.
    func arrival() async {
        for await _ in arrivals.stream { break }
    }

    /// Lets it go on.
    func open() {
        departures.continuation.yield()
    }
}
