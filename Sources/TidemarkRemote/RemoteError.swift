public import protocol Foundation.LocalizedError

/// An error of a request to a web service, or of its response.
///
/// Descriptions contain the method and the URL. They never contain header fields, passwords, or the
/// values of query parameters that look like secrets.
public struct RemoteError: Error, Sendable {
    /// The kind of a failure.
    ///
    /// Kinds may be added in later versions.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unavailable, timedOut, truncated, notTrusted, invalidRequest
            case unauthorized, notFound, throttled, clientError, serverError
            case redirectRejected, linkRejected, notJSON, noList, incompleteList, tooLarge
            case paginationLoop, pageLimit
        }
        private let kind: Kind

        /// The connection failed, or was closed before a response was received.
        public static let unavailable = Code(kind: .unavailable)
        /// The request timed out: no connection, no data, or no complete response in time.
        public static let timedOut = Code(kind: .timedOut)
        /// The body is incomplete or damaged, for example because the connection was closed.
        public static let truncated = Code(kind: .truncated)
        /// TLS failed: the certificate could not be verified, or no secure protocol version is
        /// supported.
        public static let notTrusted = Code(kind: .notTrusted)
        /// The request is invalid, for example because of an invalid URL.
        public static let invalidRequest = Code(kind: .invalidRequest)
        /// The credentials are missing, invalid or insufficient (401, 403).
        public static let unauthorized = Code(kind: .unauthorized)
        /// The resource was not found (404, 410).
        public static let notFound = Code(kind: .notFound)
        /// The service limits the request rate (429).
        public static let throttled = Code(kind: .throttled)
        /// The service rejected the request (any other 4xx).
        public static let clientError = Code(kind: .clientError)
        /// The service failed (5xx).
        public static let serverError = Code(kind: .serverError)
        /// A redirect was not followed: it leads to another origin, is invalid, or there are too
        /// many.
        public static let redirectRejected = Code(kind: .redirectRejected)
        /// A link in a response leads to another origin, or is not a valid URL.
        public static let linkRejected = Code(kind: .linkRejected)
        /// The response is not JSON.
        public static let notJSON = Code(kind: .notJSON)
        /// The response is JSON, but does not contain a list where it is expected.
        public static let noList = Code(kind: .noList)
        /// The list has more objects than its pages contain.
        public static let incompleteList = Code(kind: .incompleteList)
        /// The body exceeds the limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The next page is one that was already read.
        public static let paginationLoop = Code(kind: .paginationLoop)
        /// The list exceeds the limit for pages.
        public static let pageLimit = Code(kind: .pageLimit)
    }

    /// The kind of the failure.
    public var code: Code

    /// A sentence that describes the failure, with the method and the URL.
    public var message: String

    /// A suggestion how to resolve the failure.
    public var hint: String?

    /// The status code of the response, if one was received.
    public var status: Int?

    /// The delay that the service requested before a retry, if it specified one.
    public var retryAfter: Duration?

    /// The error that caused this one, if any.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        hint: String? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status
        self.retryAfter = retryAfter
        self.underlying = underlying
    }
}

extension RemoteError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The message, followed by the hint.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }

    /// The same as ``description``: a dump of ``underlying`` could contain secrets.
    public var debugDescription: String { description }

    /// A mirror with the message alone: ``underlying`` could contain secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["message": message])
    }
}

extension RemoteError {
    /// Whether a retry of the same request may succeed: true for connection failures, timeouts,
    /// incomplete bodies, rate limits (429) and server errors (5xx).
    public var isTransient: Bool {
        [.unavailable, .timedOut, .truncated, .throttled, .serverError].contains(code)
    }
}

extension RemoteError: LocalizedError {
    /// The description, as returned by `localizedDescription`.
    public var errorDescription: String? { description }
}
