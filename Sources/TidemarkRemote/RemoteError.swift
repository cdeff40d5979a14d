public import protocol Foundation.LocalizedError

/// Why a service could not be asked, or what was wrong with its answer.
///
/// Descriptions name the method and the URL, never header fields, passwords or the values of query
/// parameters that look like secrets.
public struct RemoteError: Error, Sendable {
    /// What kind of failure it is; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unavailable, timedOut, truncated, notTrusted, invalidRequest
            case refused, notFound, throttled, clientError, serverError
            case redirectRefused, linkRefused, notJSON, noList, incompleteList, tooLarge
            case paginationLoop, pageLimit
        }
        private let kind: Kind

        /// No connection could be made, or it broke before an answer came.
        public static let unavailable = Code(kind: .unavailable)
        /// The answer did not come in time.
        public static let timedOut = Code(kind: .timedOut)
        /// The connection broke in the middle of a body.
        public static let truncated = Code(kind: .truncated)
        /// The service could not prove who it is (TLS).
        public static let notTrusted = Code(kind: .notTrusted)
        /// The request could not even be made, such as for a URL that is none.
        public static let invalidRequest = Code(kind: .invalidRequest)
        /// The service wants other credentials (401, 403).
        public static let refused = Code(kind: .refused)
        /// There is no such thing (404, 410).
        public static let notFound = Code(kind: .notFound)
        /// The service wants to be asked less often (429).
        public static let throttled = Code(kind: .throttled)
        /// The service does not accept the request (other 4xx).
        public static let clientError = Code(kind: .clientError)
        /// The service failed (5xx).
        public static let serverError = Code(kind: .serverError)
        /// A redirect leads out of the service, nowhere, or in circles.
        public static let redirectRefused = Code(kind: .redirectRefused)
        /// A link in an answer leads out of the service.
        public static let linkRefused = Code(kind: .linkRefused)
        /// The answer is something other than JSON.
        public static let notJSON = Code(kind: .notJSON)
        /// The answer is JSON, but holds no list where it should.
        public static let noList = Code(kind: .noList)
        /// A list has more objects than its pages give.
        public static let incompleteList = Code(kind: .incompleteList)
        /// The body is longer than the limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The next page is one that was read before.
        public static let paginationLoop = Code(kind: .paginationLoop)
        /// The list has more pages than the limit.
        public static let pageLimit = Code(kind: .pageLimit)
    }

    /// What kind of failure it is.
    public var code: Code

    /// What is the matter, in a sentence that names the method and the URL.
    public var message: String

    /// What to do about it.
    public var hint: String?

    /// The status of the answer, if there was one.
    public var status: Int?

    /// How long the service asked to wait, if it did.
    public var retryAfter: Duration?

    /// The error of the layer below, if there was one.
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
    /// The message, and what to do about it.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }

    /// The same as the description: what lies below may know secrets.
    public var debugDescription: String { description }

    /// The message alone: what lies below may know secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["message": message])
    }
}

extension RemoteError {
    /// Whether the same request may succeed a little later.
    public var isTransient: Bool {
        [.unavailable, .timedOut, .truncated, .throttled, .serverError].contains(code)
    }
}

extension RemoteError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
