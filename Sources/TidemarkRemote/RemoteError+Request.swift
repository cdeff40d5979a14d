package import HTTPTypes
import TidemarkModel

extension RemoteError {
    package static func unavailable(
        _ request: HTTPRequest,
        _ why: String,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .unavailable,
            "\(request.label): \(why).",
            hint: "Check the address and the network, then try again.",
            underlying: underlying
        )
    }

    /// The service wants no request for longer than one may wait.
    package static func paused(_ request: HTTPRequest, for wait: Duration) -> RemoteError {
        RemoteError(
            .throttled,
            "\(request.label) has to wait: the service wants to be left alone for \(wait.shown).",
            hint: "Try again then.",
            retryAfter: wait
        )
    }

    /// Nothing has come for longer than `Limits.idleTimeout`.
    package static func silent(
        _ request: HTTPRequest,
        for limit: Duration,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .timedOut,
            "\(request.label): nothing has come for \(limit.shown).",
            hint: "Try again, or allow more time.",
            underlying: underlying
        )
    }

    /// The answer has taken longer than `Limits.answerTime`.
    package static func late(
        _ request: HTTPRequest,
        after limit: Duration,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .timedOut,
            "\(request.label): the answer was not complete after \(limit.shown).",
            hint: "Try again, or allow more time.",
            underlying: underlying
        )
    }

    package static func truncated(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label): the connection broke in the middle of the body.",
            hint: "Try again.",
            underlying: underlying
        )
    }

    /// A compressed body is none, or breaks off.
    package static func damaged(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label): the compressed body is damaged.",
            hint: "Try again; if it stays, ask whoever runs the service.",
            underlying: underlying
        )
    }

    package static func notTrusted(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .notTrusted,
            "\(request.label): the service could not prove who it is.",
            hint: "Check its certificate, and this device's clock.",
            underlying: underlying
        )
    }

    /// The service speaks no version of TLS that is secure.
    package static func obsoleteTLS(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .notTrusted,
            "\(request.label): the TLS handshake failed: the service does not support TLS 1.2 or "
                + "newer.",
            hint: "Older versions are not secure (RFC 8996); the service must be updated.",
            underlying: underlying
        )
    }

    package static func invalid(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .invalidRequest,
            "\(request.label): this request cannot be made.",
            hint: "A service's URL begins with https:// and names a host.",
            underlying: underlying
        )
    }

    package static func tooLarge(
        _ request: HTTPRequest,
        limit: Int,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .tooLarge,
            "\(request.label): the body is longer than \(limit) bytes.",
            hint: "Ask for smaller pages, or raise the limit.",
            underlying: underlying
        )
    }

    /// The answer is no JSON to its end.
    static func broken(_ label: String, _ status: Int, _ error: JSONError) -> RemoteError {
        RemoteError(
            .notJSON,
            "\(label) was answered with broken JSON: \(error).",
            hint: "Try again; if it stays, ask whoever runs the service.",
            status: status,
            underlying: error
        )
    }

    /// The answer has no list: that is no empty one.
    package static func noList(
        _ label: String,
        _ reason: String,
        _ underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .noList,
            "\(label) was answered without a list: \(reason).",
            hint: "Check the resource's path, and its envelope: where the list stands.",
            underlying: underlying
        )
    }
}
