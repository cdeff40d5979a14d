public import protocol Foundation.LocalizedError

/// An error of a request to a web service, or of its response.
///
/// A transport throws it if no response was received. The engine does not throw it, but reports it
/// as the failure of a resource, after retries where they may help. Descriptions contain
/// the method and the URL. They never contain header fields, passwords, or the values of query
/// parameters that look like secrets, and what a service repeats of them is removed.
///
/// ```swift
/// for case let error as RemoteError in report.failures {
///     print(error)    // GET https://api.example.com/films returned 404. Check the path.
///     print(error.isTransient)
/// }
/// ```
public struct RemoteError: Error, Sendable {
    /// The kind of a failure.
    ///
    /// Kinds may be added in later versions: treat an unknown one like any other failure.
    /// ``RemoteError/isTransient`` separates those that may pass from those that need a change.
    ///
    /// ```swift
    /// func message(for error: RemoteError) -> String {
    ///     switch error.code {
    ///     case .unreachable, .connectionFailed, .timedOut: "You are offline."
    ///     case .unauthorized where error.status == 401: "Please sign in again."
    ///     default: error.message
    ///     }
    /// }
    /// ```
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unreachable, connectionFailed, timedOut, truncated, tlsFailed, invalidRequest
            case unauthorized, notFound, rateLimited, clientError, serverError
            case redirectRejected, linkRejected, notJSON, noList, incompleteList, tooLarge
            case paginationLoop, pageLimit, invalidFile
        }
        private let kind: Kind

        /// No connection was made, so the service has not received the request.
        ///
        /// The device is offline, the host name cannot be resolved, the connection was refused, or
        /// it was not made in time. The request is retried.
        ///
        /// A transport must use it only if nothing was sent: a write with this failure is sent
        /// again, whatever its method is.
        public static let unreachable = Code(kind: .unreachable)

        /// The connection broke before a response was received.
        ///
        /// It was reset, or closed by the service. The service may have received the request. It is
        /// retried if its method is idempotent (RFC 9110, section 9.2.2).
        public static let connectionFailed = Code(kind: .connectionFailed)

        /// The request timed out: no data, or no complete response in time.
        ///
        /// The limits are `Limits.http.idleTimeout` (30 seconds without data) and
        /// `Limits.http.responseTime` (one hour for a whole response). The request is retried.
        public static let timedOut = Code(kind: .timedOut)

        /// The body is incomplete or damaged, for example because the connection was closed.
        ///
        /// A body of up to `Limits.http.bodyInMemory` is requested again. A longer one fails the
        /// resource, and nothing of it is stored. It is also the code of a response with the status
        /// 206, which is only a part of a list.
        public static let truncated = Code(kind: .truncated)

        /// TLS failed: the certificate could not be verified, or no secure protocol version is
        /// supported.
        ///
        /// The request is not retried. Check the clock of the device, and whether a proxy replaces
        /// certificates; TLS 1.0 and 1.1 are rejected (RFC 8996).
        public static let tlsFailed = Code(kind: .tlsFailed)

        /// The request is invalid, for example because of an invalid URL.
        ///
        /// The URL of a ``Service`` needs the scheme `http` or `https` and a host. Nothing was
        /// sent.
        public static let invalidRequest = Code(kind: .invalidRequest)

        /// The credentials are missing, invalid or insufficient (401, 403).
        ///
        /// A 401 means that the credentials are missing or have expired. ``Credentials`` are
        /// renewed and the request is repeated once, before this error is reported: let the user
        /// sign in again. A 403 means that they do not permit the request, which signing in again
        /// does not change. ``RemoteError/status`` distinguishes them.
        ///
        /// ```swift
        /// let isSignedOut = report.failures.contains { error in
        ///     (error as? RemoteError)?.status == 401
        /// }
        /// ```
        public static let unauthorized = Code(kind: .unauthorized)

        /// The resource was not found (404, 410).
        ///
        /// For a list this is a failure, and its rows are kept. A page after the last one of
        /// numbered pages ends the list instead.
        public static let notFound = Code(kind: .notFound)

        /// The service limits the request rate (429), or has requested a pause that is longer than
        /// `Limits.http.retryTime`.
        ///
        /// Shorter pauses are waited for. ``RemoteError/retryAfter`` is the requested delay.
        public static let rateLimited = Code(kind: .rateLimited)

        /// The service rejected the request (any other 4xx).
        ///
        /// The request is not retried. If it was one for changes, the whole list is read instead,
        /// and a warning reports it.
        public static let clientError = Code(kind: .clientError)

        /// The service failed (5xx).
        ///
        /// The request was attempted up to `Limits.http.attempts` times, with an exponential
        /// backoff.
        public static let serverError = Code(kind: .serverError)

        /// A redirect was not followed: it leads to another origin, is invalid, or there are too
        /// many.
        ///
        /// Credentials are sent with every request, so a redirect must not choose who receives
        /// them. Add the origin to ``Service/origins`` if it belongs to the service, or use the
        /// address that the redirect leads to as ``Service/url``. The limit is
        /// `Limits.http.redirects`.
        public static let redirectRejected = Code(kind: .redirectRejected)

        /// A link in a response leads to another origin, or is not a valid URL.
        ///
        /// It is the URL of a next page, or the path of a resource. An `http` link to the host of
        /// an `https` service is followed by `https`; for other origins see ``Service/origins``.
        public static let linkRejected = Code(kind: .linkRejected)

        /// The response is not JSON.
        ///
        /// Usually it is the HTML of a sign-in page or of a captive portal. An empty body is not
        /// JSON either: it is not taken for an empty list, whose rows would be deleted.
        public static let notJSON = Code(kind: .notJSON)

        /// The response is JSON, but does not contain a list where it is expected.
        ///
        /// Set ``ResourceStyle/envelope`` to the position of the list, or call
        /// ``ResourceStyle/makeSingleObject()`` if the resource is one object. It is also the code
        /// of a next page that the configured pagination cannot request.
        public static let noList = Code(kind: .noList)

        /// The list has more objects than its pages contain.
        ///
        /// The total is larger than the number of objects, or the last page names a next one that
        /// ``ResourceStyle/pagination`` does not follow. No row is deleted. Configure the
        /// pagination, or set ``ResourceStyle/total`` to ``TotalCount/none`` if the service counts
        /// objects that it does not list.
        ///
        /// ```swift
        /// var films = service.resource("Film", path: "films")
        /// films.style.pagination = .offset(parameter: "start")
        /// ```
        public static let incompleteList = Code(kind: .incompleteList)

        /// The body exceeds the limit, `Limits.http.bodyBytes`.
        ///
        /// Request smaller pages (``ListParameters/pageSize``), or raise the limit.
        public static let tooLarge = Code(kind: .tooLarge)

        /// The next page is one that was already read, or has the same objects as the page before.
        ///
        /// The service ignores the parameter that selects the page, or its links form a loop.
        public static let paginationLoop = Code(kind: .paginationLoop)

        /// The list exceeds the limit for pages, `Limits.http.pages`: 10,000 by default.
        public static let pageLimit = Code(kind: .pageLimit)

        /// The response is not the file that was requested.
        ///
        /// It is a web page, such as that of a sign-in, it has no content, or its SHA-256 digest is
        /// not the one that the service specifies (`Repr-Digest`, RFC 9530). Nothing is kept of it.
        public static let invalidFile = Code(kind: .invalidFile)
    }

    /// The kind of the failure, on which code may depend.
    public var code: Code

    /// A sentence that describes the failure, with the method and the URL.
    ///
    /// A message that the service has sent is quoted: that of the members `detail`, `message`,
    /// `error` or `errors` of its JSON, or else the beginning of the text, in one line of at most
    /// 200 characters.
    public var message: String

    /// A suggestion how to resolve the failure, as a sentence; nil without one.
    public var hint: String?

    /// The status code of the response; nil if none was received.
    public var status: Int?

    /// The delay that the service requested before a retry; nil if it specified none.
    ///
    /// It is read from `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3). A date
    /// that has passed is a delay of zero, and a longer delay than `Limits.http.pause` is one of
    /// that length.
    public var retryAfter: Duration?

    /// The error that caused this one, such as that of the HTTP client; nil without one.
    ///
    /// It may contain URLs with secrets: do not log it.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// Only a type that implements ``Transport`` needs to: it throws the code that describes the
    /// failure, so that the request is retried if it is transient.
    ///
    /// <!-- example: let request = HTTPRequest(method: .get, url: url); _ = request -->
    /// ```swift
    /// throw RemoteError(
    ///     .unreachable,
    ///     "GET https://api.example.com/films: the VPN is disconnected.",
    ///     hint: "Connect, then try again."
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - message: A sentence with the method and the URL, without secrets.
    ///   - hint: How to resolve it. Defaults to nil.
    ///   - status: The status code of the response. Defaults to nil: none was received.
    ///   - retryAfter: The delay that the service requested. Defaults to nil.
    ///   - underlying: The error that caused this one. Defaults to nil.
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
    ///
    /// The request was already attempted up to `Limits.http.attempts` times, or for
    /// `Limits.http.retryTime`. An app can wait for the next scheduled pull, and show other
    /// failures to the developer.
    ///
    /// ```swift
    /// let permanent = report.failures.filter { ($0 as? RemoteError)?.isTransient != true }
    /// if !permanent.isEmpty { logger.error("\(permanent)") }
    /// ```
    public var isTransient: Bool {
        [.unreachable, .connectionFailed, .timedOut, .truncated, .rateLimited, .serverError]
            .contains(code)
    }
}

extension RemoteError: LocalizedError {
    /// The description, as returned by `localizedDescription`.
    public var errorDescription: String? { description }
}
