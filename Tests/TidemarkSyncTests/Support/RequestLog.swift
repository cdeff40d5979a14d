import HTTPTypes
import Synchronization
import TidemarkRemote

/// A transport that records requests, and runs actions between them.
final class RequestLog: Transport {
    private struct State {
        var entries: [Entry] = []
        var actions: [Int: @Sendable () async throws -> Void] = [:]
    }

    /// A request, and the status of its response.
    struct Entry: Sendable, CustomStringConvertible {
        let request: HTTPRequest
        var status: Int?

        /// The method, the path, and the status.
        var description: String {
            "\(request.method.rawValue) \(request.path ?? "/") \(status.map(String.init) ?? "—")"
        }
    }

    /// An error that fails a request before it is sent.
    static let connectionLost = RemoteError(
        .connectionFailed,
        "The connection was lost for a test."
    )

    private let base: any Transport
    private let change: @Sendable (inout HTTPFields) -> Void
    private let state = Mutex(State())

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - change: Changes the header fields of responses, as an intermediary may do.
    init(
        _ base: any Transport,
        changing change: @escaping @Sendable (inout HTTPFields) -> Void = { _ in }
    ) {
        self.base = base
        self.change = change
    }

    /// The requests so far.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// The methods and statuses of the requests so far, such as `GET 304`.
    var exchanges: [String] {
        entries.map { "\($0.request.method.rawValue) \($0.status.map(String.init) ?? "—")" }
    }

    /// Discards the recorded requests.
    func clear() {
        state.withLock { $0.entries = [] }
    }

    /// Runs an action before one of the next requests is sent, counted from 1.
    ///
    /// If the action throws, the request fails.
    func before(_ number: Int, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.actions[$0.entries.count + number] = action }
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let (number, action) = state.withLock { state in
            state.entries.append(Entry(request: request))
            return (
                state.entries.count, state.actions.removeValue(forKey: state.entries.count)
            )
        }
        try await action?()
        var response = try await base.send(request, body: body)
        change(&response.head.headerFields)
        let status = response.head.status.code
        state.withLock { state in
            guard state.entries.count >= number else { return }
            state.entries[number - 1].status = status
        }
        return response
    }
}
