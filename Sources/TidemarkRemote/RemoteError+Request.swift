package import HTTPTypes
import TidemarkJSON
import TidemarkModel

import struct Foundation.URL

extension RemoteError {
    /// Returns the error for a connection that failed before a response was received.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - why: The reason, as a clause without punctuation.
    ///   - underlying: The error of the HTTP client.
    /// - Returns: An error with the code ``Code/unavailable``.
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

    /// Returns the error for a request that has to wait because the service requested a pause.
    package static func paused(_ request: HTTPRequest, for wait: Duration) -> RemoteError {
        RemoteError(
            .throttled,
            "\(request.label) has to wait: the service wants to be left alone for \(wait.shown).",
            hint: "Try again then.",
            retryAfter: wait
        )
    }

    /// Returns the error for a timeout: no data was received for longer than `Limits.idleTimeout`.
    package static func silent(
        _ request: HTTPRequest,
        for limit: Duration,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .timedOut,
            "\(request.label): timed out: no data received for \(limit.shown).",
            hint: "Try again, or allow more time.",
            underlying: underlying
        )
    }

    /// Returns the error for a connection that was not established within the transport's timeout.
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

    /// Returns the error for a response that was not complete within `Limits.answerTime`.
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

    /// Returns the error for a connection that was closed before the body was complete.
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

    /// Returns the error for a compressed body that is invalid or incomplete.
    package static func damaged(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label): the compressed body is damaged.",
            hint: "Try again; if the error persists, contact the operator of the service.",
            underlying: underlying
        )
    }

    /// Returns the error for a list that reports more objects than its pages lead to.
    ///
    /// - Parameters:
    ///   - url: The URL of the page.
    ///   - sign: The part of the response that indicates more objects, such as `has_more: true`.
    ///   - count: The number of objects that were read.
    /// - Returns: An error with the code ``Code/incompleteList``.
    static func incomplete(_ url: URL, _ sign: String, count: Int) -> RemoteError {
        RemoteError(
            .incompleteList,
            "\(url.shown) ends after \(count) objects, though it says that there are more (\(sign)).",
            hint: "Set `pagination` to the way in which the service pages its lists; with "
                + "`deletes: none` and `pagination: none` its first page is taken alone."
        )
    }

    /// Returns the error for a list whose pages contain fewer objects than its total.
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

    /// Returns the error for a partial response, although the request had no `Range` field.
    ///
    /// Source: RFC 9110, 15.3.7.
    static func partial(_ request: HTTPRequest) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label) returned 206 Partial Content: the response is not the whole list.",
            hint: "Services that page by ranges are not supported.",
            status: 206
        )
    }

    /// Returns the error for a TLS connection whose certificate could not be verified.
    package static func notTrusted(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .notTrusted,
            "\(request.label): TLS certificate verification failed.",
            hint: "Check its certificate, and this device's clock.",
            underlying: underlying
        )
    }

    /// Returns the error for a service that supports no secure version of TLS.
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

    /// Returns the error for a request whose URL is invalid.
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

    /// Returns the error for a body that is longer than a limit, in bytes.
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

    /// Returns the error for a response that is not valid JSON.
    static func broken(_ label: String, _ status: Int, _ error: JSONError) -> RemoteError {
        RemoteError(
            .notJSON,
            "\(label) returned invalid JSON: \(error).",
            hint: "Try again; if the error persists, contact the operator of the service.",
            status: status,
            underlying: error
        )
    }

    /// Returns the error for a response without a list, which must not be taken for an empty list.
    package static func noList(
        _ label: String,
        _ reason: String,
        _ underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .noList,
            "\(label) returned no list: \(reason).",
            hint: "Check the resource's path, and its envelope: the key path of the list.",
            underlying: underlying
        )
    }
}
