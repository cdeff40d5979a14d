import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// The way to a service, on which things happen between requests.
final class InterceptingTransport: Transport {
    private struct State {
        var due: [(requests: Int, happen: @Sendable () async throws -> Void)] = []
        var lostPlaces = 0
        var status = 404
        var miscounts: [Int] = []
        var hasMiscounted = false
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

    /// Makes the service report numbers of objects that are wrong, by so many in each response.
    func miscount(by errors: [Int]) {
        state.withLock { $0.miscounts = errors }
    }

    /// Whether a response had a wrong number since this was called last.
    func takeMiscounted() -> Bool {
        state.withLock { state in
            defer { state.hasMiscounted = false }
            return state.hasMiscounted
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isLater = (request.path ?? "").drop { $0 != "?" }.contains(laterPage)
        let (due, lost, error) = state.withLock { state in
            for place in state.due.indices { state.due[place].requests -= 1 }
            let due = state.due.filter { $0.requests <= 0 }.map(\.happen)
            state.due.removeAll { $0.requests <= 0 }
            let lost = isLater && state.lostPlaces > 0 ? state.status : nil
            if lost != nil { state.lostPlaces -= 1 }
            let error = state.miscounts.isEmpty ? 0 : state.miscounts.removeFirst()
            return (due, lost, error)
        }
        for happen in due { try await happen() }
        if let lost { fake.misbehave(.status(lost), times: 1) }
        var response = try await fake.send(request, body: body)
        if error != 0, try await response.miscount(by: error) {
            state.withLock { $0.hasMiscounted = true }
        }
        return response
    }
}

extension TransportResponse {
    /// Makes the number of objects that the response reports wrong; false where it reports none.
    fileprivate mutating func miscount(by error: Int) async throws -> Bool {
        var isWrong = false
        for field in head.headerFields where field.name.canonicalName.contains("total") {
            guard let number = Int(field.value) else { continue }
            head.headerFields[field.name] = "\(max(0, number + error))"
            isWrong = true
        }
        var bytes: [UInt8] = []
        for try await chunk in body { bytes += chunk }
        let text = String(decoding: bytes, as: UTF8.self)
        let wrong = text.replacing(/"(count|total)": ?([0-9]+)/) { match in
            "\"\(match.output.1)\": \(max(0, (Int(match.output.2) ?? 0) + error))"
        }
        body = ResponseBody(Array(wrong.utf8))
        guard wrong != text else { return isWrong }
        // Another body has another entity tag, and its length is its own.
        head.headerFields[.contentLength] = nil
        head.headerFields[.lastModified] = nil
        if let tag = head.headerFields[.eTag] {
            head.headerFields[.eTag] = "\(tag.dropLast())-\(error)\""
        }
        return true
    }
}
