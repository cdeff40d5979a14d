public import TidemarkJSON

/// Bounds on all external input: bytes, nesting depth, pages, attempts and rows.
///
/// Everything that reads from the network or from a document is subject to one of these bounds.
public struct Limits: Hashable, Sendable {
    /// The maximum depth and size of JSON.
    public var json = JSONLimits()

    /// The bounds on requests and responses.
    public var http = HTTP()

    /// The maximum number of resources that are pulled concurrently; 4 by default.
    public var concurrency = 4

    /// The maximum number of unread events that are buffered for a slow consumer; 10,000 by
    /// default.
    ///
    /// The oldest events are dropped first.
    public var events = 10_000

    /// The number of rows after which a transaction of an import session ends; 10,000 by default.
    ///
    /// Rows nested in others count, too.
    public var rowsInTransaction = 10_000

    /// The time after which a transaction of an import session ends, so that other writers can run
    /// in between; 50 milliseconds by default.
    public var transactionTime = Duration.milliseconds(50)

    /// The maximum number of objects that are embedded in one exported row; 10,000 by default.
    public var exportedObjects = 10_000

    /// The maximum number of items of an import that are deferred because another row has a value
    /// that must be unique; 100,000 by default.
    ///
    /// Deferred items are retried after all others have been read. Items beyond the limit are
    /// rejected immediately.
    public var postponedItems = 100_000

    /// The maximum number of distinct diagnostics in a report; 1,000 by default.
    public var diagnostics = 1_000

    /// The maximum number of bytes of an invalid value that a diagnostic contains; 80 by default.
    public var diagnosticValueBytes = 80

    /// The maximum number of bytes of the key, the path and the message of a diagnostic, each; 500
    /// by default.
    ///
    /// Longer texts are truncated. Together with ``diagnostics`` it bounds the size of a report.
    public var diagnosticTextBytes = 500

    /// The bounds on requests and their responses.
    public struct HTTP: Hashable, Sendable {
        /// The maximum number of bytes of a response that are held in memory; 8 MiB by default.
        ///
        /// Longer responses are spooled to a temporary file.
        public var bodyInMemory = 8 << 20

        /// The maximum size of a response body in bytes, after decompression; 2 GiB by default.
        public var bodyBytes = 2 << 30

        /// The maximum number of pages of one list; 10,000 by default.
        public var pages = 10_000

        /// The maximum number of redirects that one request follows; 5 by default.
        public var redirects = 5

        /// The maximum number of attempts for one request, the first one included; 5 by default.
        public var attempts = 5

        /// The longest time without data from a service before a request times out; 30 seconds by
        /// default.
        ///
        /// It applies to the time from a request to the head of its response, and then to the time from
        /// one piece of the body to the next. A slow body does not time out as long as data arrives;
        /// ``responseTime`` bounds its total duration.
        public var idleTimeout = Duration.seconds(30)

        /// The maximum duration of one response, from the request to the last byte of its body; one
        /// hour by default.
        public var responseTime = Duration.seconds(3_600)

        /// The maximum time over which one request is retried; 300 seconds by default.
        ///
        /// A request fails without another attempt if the delay before it, for example from a
        /// `Retry-After` header field, would end after this time.
        public var retryTime = Duration.seconds(300)

        /// Creates limits with the default values.
        ///
        /// Change the properties that should differ.
        public init() {}
    }

    /// Creates limits with the default values.
    ///
    /// Change the properties that should differ.
    public init() {}
}
