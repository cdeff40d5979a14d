package import HTTPTypes
import TidemarkModel

import struct Foundation.URL

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

    /// No connection was made in the time that a transport gives it.
    package static func unconnected(
        _ request: HTTPRequest,
        after limit: Duration,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .timedOut,
            "\(request.label): no connection was made within \(limit.shown).",
            hint: "Try again.",
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

    /// A list has more objects than its pages lead to.
    static func incomplete(_ url: URL, _ sign: String, count: Int) -> RemoteError {
        RemoteError(
            .incompleteList,
            "\(url.shown) ends after \(count) objects, though it says that there are more (\(sign)).",
            hint: "Set `pagination` to the way in which the service pages its lists; with "
                + "`deletes: none` and `pagination: none` its first page is taken alone."
        )
    }

    /// The pages of a list have given fewer objects than its total says.
    package static func incomplete(
        _ resource: RemoteResource,
        items: Int,
        total: Int
    ) -> RemoteError {
        RemoteError(
            .incompleteList,
            "\(resource.path) gave \(items) of \(total) objects, and no next page was found.",
            hint:
                "Set `pagination` to the way in which the service pages its lists, or `total: none` "
                + "where it counts objects that it does not list."
        )
    }

    /// The response is a part of a document, which was not requested.
    ///
    /// Source: RFC 9110, 15.3.7.
    static func partial(_ request: HTTPRequest) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label) was answered 206 Partial Content: the response is not the whole list.",
            hint: "Services that page by ranges are not supported.",
            status: 206
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
