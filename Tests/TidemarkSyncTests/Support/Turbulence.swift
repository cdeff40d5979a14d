import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// The way to a service, on which things happen between requests.
final class Turbulence: Transport {
    private struct State {
        var due: [(requests: Int, happen: @Sendable () async throws -> Void)] = []
        var lostPlaces = 0
        var status = 404
    }

    private let fake: FakeService
    private let laterPage: String
    private let state = Mutex(State())

    /// The way to a service whose requests for pages behind the first have this in their query.
    init(_ fake: FakeService, laterPage: String) {
        self.fake = fake
        self.laterPage = laterPage
    }

    /// Lets something happen before a request is sent, counted from now; what throws ends it.
    func before(_ requests: Int, _ happen: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.due.append((requests, happen)) }
    }

    /// Forgets what was to happen.
    func calm() {
        state.withLock { $0 = State() }
    }

    /// Makes the service forget the places that it named: so many requests for a page behind the
    /// first are answered with a status.
    func losePlaces(_ times: Int, status: Int) {
        state.withLock {
            $0.lostPlaces = times
            $0.status = status
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isLater = (request.path ?? "").drop { $0 != "?" }.contains(laterPage)
        let (due, lost) = state.withLock { state in
            for place in state.due.indices { state.due[place].requests -= 1 }
            let due = state.due.filter { $0.requests <= 0 }.map(\.happen)
            state.due.removeAll { $0.requests <= 0 }
            let lost = isLater && state.lostPlaces > 0 ? state.status : nil
            if lost != nil { state.lostPlaces -= 1 }
            return (due, lost)
        }
        for happen in due { try await happen() }
        if let lost { fake.misbehave(.status(lost), times: 1) }
        return try await fake.send(request, body: body)
    }
}
