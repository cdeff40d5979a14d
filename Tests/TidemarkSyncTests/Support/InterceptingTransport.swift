import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// A transport that runs actions between requests, and can falsify responses.
final class InterceptingTransport: Transport {
    private struct State {
        var due: [(requests: Int, action: @Sendable () async throws -> Void)] = []
        var rejectedPositions = 0
        var status = 404
        var countErrors: [Int] = []
        var hasWrongCount = false
    }

    private let fake: FakeService
    private let laterPage: String
    private let state = Mutex(State())

    /// Creates a transport to a fake service.
    ///
    /// `laterPage` is contained in the query of every request for a page after the first.
    init(_ fake: FakeService, laterPage: String) {
        self.fake = fake
        self.laterPage = laterPage
    }

    /// Runs an action before one of the next requests is sent, counted from 1.
    ///
    /// If the action throws, the request fails.
    func before(_ requests: Int, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.due.append((requests, action)) }
    }

    /// Discards all planned actions and faults.
    func reset() {
        state.withLock { $0 = State() }
    }

    /// Responds with a status to the next requests for a page after the first, `times` times, as a
    /// service does whose positions in a list have expired.
    func rejectPositions(_ times: Int, status: Int) {
        state.withLock {
            $0.rejectedPositions = times
            $0.status = status
        }
    }

    /// Makes the service report wrong numbers of objects: each response is off by the next error.
    func addCountErrors(_ errors: [Int]) {
        state.withLock { $0.countErrors = errors }
    }

    /// Returns whether a response had a wrong number since the last call.
    func takeHasWrongCount() -> Bool {
        state.withLock { state in
            defer { state.hasWrongCount = false }
            return state.hasWrongCount
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isLater = (request.path ?? "").drop { $0 != "?" }.contains(laterPage)
        let (due, rejection, error) = state.withLock { state in
            for index in state.due.indices { state.due[index].requests -= 1 }
            let due = state.due.filter { $0.requests <= 0 }.map(\.action)
            state.due.removeAll { $0.requests <= 0 }
            let rejection = isLater && state.rejectedPositions > 0 ? state.status : nil
            if rejection != nil { state.rejectedPositions -= 1 }
            let error = state.countErrors.isEmpty ? 0 : state.countErrors.removeFirst()
            return (due, rejection, error)
        }
        for action in due { try await action() }
        if let rejection { fake.inject(.status(rejection), times: 1) }
        var response = try await fake.send(request, body: body)
        if error != 0, try await response.adjustCount(by: error) {
            state.withLock { $0.hasWrongCount = true }
        }
        return response
    }
}

extension TransportResponse {
    /// Changes the number of objects that the response reports; returns false if it reports none.
    fileprivate mutating func adjustCount(by error: Int) async throws -> Bool {
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
        // The changed body needs another entity tag, and may have another length.
        head.headerFields[.contentLength] = nil
        head.headerFields[.lastModified] = nil
        if let tag = head.headerFields[.eTag] {
            head.headerFields[.eTag] = "\(tag.dropLast())-\(error)\""
        }
        return true
    }
}
