import Testing
import TidemarkHTTPClient
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkURLSession

/// The transports that send requests over a socket.
enum SocketTransport: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case urlSession, asyncHTTPClient

    var testDescription: String { rawValue }

    /// Runs `body` with a transport.
    func run<Result: Sendable>(
        limits: Limits = .longTimeout,
        _ body: (any Transport) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .urlSession:
            try await body(URLSessionTransport(limits: limits))
        case .asyncHTTPClient:
            try await AsyncHTTPClientTransport.run(limits: limits) { try await body($0) }
        }
    }
}
