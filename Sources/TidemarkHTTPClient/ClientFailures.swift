#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import TidemarkModel
import TidemarkRemote

/// Converts errors of the HTTP client to `RemoteError`.
struct ClientFailures: Sendable {
    let request: HTTPRequest
    let limits: Limits

    var invalid: RemoteError { .invalid(request) }

    var timedOut: RemoteError {
        .timedOut(request, waitingFor: .response, limits: limits)
    }

    var redirected: RemoteError {
        RemoteError(
            .redirectRejected,
            "\(request.label): the HTTP client followed a redirect by itself.",
            hint: "Create it with AsyncHTTPClientTransport.configuration(for:)."
        )
    }

    func failure(_ error: any Error, isInBody: Bool) -> any Error {
        switch error {
        case let error as RemoteError: error
        case is CancellationError: error
        case let error as HTTPClientError: failure(error, isInBody: isInBody)
        case let error as NIOConnectionError: unreachable(error)
        // Other codes of a failed connection are also reported for one that was in use.
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            RemoteError.unreachable(
                request,
                because: "no connection could be made",
                underlying: error
            )
        case NIOHTTPDecompression.DecompressionError.limit:
            RemoteError.tooLarge(request.label, limit: limits.http.bodyBytes, underlying: error)
        case is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            RemoteError.damaged(request, underlying: error)
        // Closed without close_notify, so the data may be truncated (RFC 8446, 6.1).
        case NIOSSLError.uncleanShutdown: broken(error, isInBody: isInBody)
        case is NIOSSLError where Self.isObsolete(error):
            RemoteError.obsoleteTLS(request, underlying: error)
        case is NIOSSLError, is NIOSSLExtraError:
            RemoteError.tlsFailed(request, underlying: error)
        default: broken(error, isInBody: isInBody)
        }
    }

    private func failure(_ error: HTTPClientError, isInBody: Bool) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        // The deadline of the head is the shorter of the two.
        case .deadlineExceeded where limits.http.responseTime < limits.http.idleTimeout: timedOut
        case .getConnectionFromPoolTimeout:
            RemoteError(
                .unreachable,
                "\(request.label): no connection was free within "
                    + "\(AsyncHTTPClientTransport.connectTimeout(limits).shown).",
                hint:
                    "Lower `concurrency`, or let the HTTP client open as many connections to a host.",
                underlying: error
            )
        case .connectTimeout, .tlsHandshakeTimeout:
            RemoteError.timedOut(
                request,
                waitingFor: .connection(limit: AsyncHTTPClientTransport.connectTimeout(limits)),
                limits: limits,
                underlying: error
            )
        case .deadlineExceeded, .readTimeout, .writeTimeout:
            RemoteError.timedOut(request, waitingFor: .data, limits: limits, underlying: error)
        case .invalidURL, .emptyHost, .emptyScheme:
            RemoteError.invalid(request, underlying: error)
        default: broken(error, isInBody: isInBody)
        }
    }

    private func unreachable(_ error: NIOConnectionError) -> RemoteError {
        // If no address was resolved, no connection was attempted.
        let isUnknown = error.connectionErrors.isEmpty
        return RemoteError.unreachable(
            request,
            because: isUnknown ? "the host is not known" : "no connection could be made",
            underlying: error
        )
    }

    /// Returns whether the handshake failed because no TLS version is supported by both sides,
    /// which BoringSSL reports only in the description.
    private static func isObsolete(_ error: any Error) -> Bool {
        let text = "\(error)".uppercased()
        return text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL")
    }

    private func broken(_ error: any Error, isInBody: Bool) -> RemoteError {
        isInBody
            ? RemoteError.truncated(request, underlying: error)
            : RemoteError.connectionFailed(
                request,
                because: "the connection broke",
                underlying: error
            )
    }
}
#endif
