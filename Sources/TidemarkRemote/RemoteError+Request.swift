package import HTTPTypes
package import TidemarkModel

// MARK: Connections

extension RemoteError {
    /// Returns the error for a connection that was not made, so that nothing was sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reason: The reason, as a clause without punctuation.
    ///   - underlying: The error of the HTTP client.
    /// - Returns: An error with the code ``Code/unreachable``.
    package static func unreachable(
        _ request: HTTPRequest,
        because reason: String,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .unreachable,
            "\(request.label): \(reason).",
            hint: "Check the address and the network, then try again.",
            underlying: underlying
        )
    }

    /// Returns the error for a connection that broke before a response was received.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reason: The reason, as a clause without punctuation.
    ///   - underlying: The error of the HTTP client.
    /// - Returns: An error with the code ``Code/connectionFailed``.
    package static func connectionFailed(
        _ request: HTTPRequest,
        because reason: String,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .connectionFailed,
            "\(request.label): \(reason).",
            hint: "Check the address and the network, then try again.",
            underlying: underlying
        )
    }

    /// The part of an exchange that a timeout limits.
    package enum Timeout: Equatable, Sendable {
        /// Establishing the connection, with the limit of the HTTP client.
        case connection(limit: Duration)

        /// The time without data: `Limits.http.idleTimeout`.
        case data

        /// The complete response: `Limits.http.responseTime`.
        case response

        fileprivate var isOfConnection: Bool {
            if case .connection = self { true } else { false }
        }
    }

    /// Returns the error for a timeout.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: What did not happen in time.
    ///   - limits: The limits of the transport.
    ///   - underlying: The error of the HTTP client.
    /// - Returns: An error with the code ``Code/timedOut``, or ``Code/unreachable`` if there was no
    ///   connection.
    package static func timedOut(
        _ request: HTTPRequest,
        waitingFor timeout: Timeout,
        limits: Limits,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        let reason =
            switch timeout {
            case .connection(let limit): "no connection was made within \(limit.shown)"
            case .data: "timed out: no data received for \(limits.http.idleTimeout.shown)"
            case .response: "the response was not complete after \(limits.http.responseTime.shown)"
            }
        return RemoteError(
            timeout.isOfConnection ? .unreachable : .timedOut,
            "\(request.label): \(reason).",
            hint: "Try again, or allow more time.",
            underlying: underlying
        )
    }

    /// Returns the error for a TLS connection whose certificate could not be verified.
    package static func tlsFailed(
        _ request: HTTPRequest,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .tlsFailed,
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
            .tlsFailed,
            "\(request.label): the TLS handshake failed: the service does not support TLS 1.2 or "
                + "newer.",
            hint: "Older versions are not secure (RFC 8996); the service must be updated.",
            underlying: underlying
        )
    }
}

// MARK: Requests

extension RemoteError {
    /// Returns the error for a URL that is not one of a service.
    static func invalidURL(_ url: String) -> RemoteError {
        RemoteError(
            .invalidRequest,
            "Invalid URL “\(ServiceMessage.oneLine(url))”: expected http:// or https:// and a host.",
            hint: "Check the URL of the service."
        )
    }

    /// Returns the error for a request whose URL the HTTP client rejects.
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

    /// Returns the error for a request that has to wait because the service requested a pause.
    static func paused(_ request: HTTPRequest, for wait: Duration) -> RemoteError {
        RemoteError(
            .rateLimited,
            "\(request.label) has to wait: the service requested a pause of \(wait.shown).",
            hint: "Try again then.",
            retryAfter: wait
        )
    }
}

// MARK: Bodies

extension RemoteError {
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

    /// Returns the error for a partial response, although the request had no `Range` field.
    ///
    /// Source: RFC 9110, 15.3.7.
    static func partial(_ request: HTTPRequest) -> RemoteError {
        RemoteError(
            .truncated,
            "\(request.label) returned 206 Partial Content: the response is not the whole list.",
            hint: "Set `pagination` to the way in which the service pages its lists, such as "
                + "`offset`. Pages that are requested by a header field `Range` are not supported.",
            status: 206
        )
    }

    /// Returns the error for a body that is longer than a limit.
    ///
    /// - Parameters:
    ///   - label: The method and URL of the request.
    ///   - limit: The limit in bytes.
    ///   - status: The status of the response. Defaults to nil.
    ///   - underlying: The error of the HTTP client. Defaults to nil.
    /// - Returns: An error with the code ``Code/tooLarge``.
    package static func tooLarge(
        _ label: String,
        limit: Int,
        status: Int? = nil,
        underlying: (any Error)? = nil
    ) -> RemoteError {
        RemoteError(
            .tooLarge,
            "\(label): the body is longer than \(limit) bytes.",
            hint: "Request smaller pages, or raise the limit.",
            status: status,
            underlying: underlying
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
            "\(resource.path) returned \(items) of \(total) objects, and no next page was found.",
            hint:
                "Set `pagination` to the way in which the service pages its lists, or `total: none` "
                + "where it counts objects that it does not list."
        )
    }
}
