public import TidemarkJSON

/// Bounds on all external input: bytes, nesting depth, pages, attempts and rows.
///
/// Everything that reads from the network or from a document is subject to one of these bounds, so
/// that neither a faulty service nor a slow connection can exhaust memory or block an app forever.
/// A `SyncEngine`, an `Importer` and an `Exporter` receive their limits when they are created.
///
/// ```swift
/// var limits = Limits()
/// limits.concurrency = 2
/// limits.http.attempts = 3
/// limits.json.itemBytes = 1 << 20
/// let engine = try await SyncEngine.prepare(
///     store: store,
///     service: service,
///     resources: [resource],
///     transport: URLSessionTransport(limits: limits),
///     limits: limits
/// )
/// ```
public struct Limits: Hashable, Sendable {
    /// The maximum depth and size of JSON, of documents, responses and exports.
    ///
    /// A page with a larger object is rejected, and fails the pull of its list.
    ///
    /// ```swift
    /// var limits = Limits()
    /// limits.json.depth = 64
    /// limits.json.itemBytes = 4 << 20
    /// ```
    public var json = JSONLimits()

    /// The bounds on requests and responses: sizes, pages, redirects, retries and timeouts.
    public var http = HTTP()

    /// The maximum number of resources that are pulled concurrently; 4 by default.
    ///
    /// Their requests overlap; their transactions run one after the other, because SQLite permits
    /// one writer. It is also the maximum number of lists under different parents that are read at
    /// the same time, and of the connections of a `URLSessionTransport` to a host. With 1, one
    /// resource is pulled after the other.
    public var concurrency = 4

    /// The maximum number of unread events that are buffered for a slow consumer; 10,000 by
    /// default.
    ///
    /// The oldest events are dropped first, so that an app that does not read its events uses
    /// bounded memory.
    public var events = 10_000

    /// The number of rows after which a transaction of an import session ends; 10,000 by default.
    ///
    /// Rows nested in others count, too. A pull commits a page in transactions of this size, and
    /// resumes after the last committed one if it is interrupted. A document that is imported with
    /// `Importer.import` is one transaction, whatever its size.
    public var rowsInTransaction = 10_000

    /// The time after which a transaction of an import session ends, so that other writers can run
    /// in between; 50 milliseconds by default.
    ///
    /// It bounds how long a write of the app waits for the write lock of SQLite while a pull is
    /// running. When the transactions of a pull have taken this time without a pause, the lock
    /// stays free for about 30 milliseconds, if the page takes several transactions or other
    /// connections write, too.
    public var transactionTime = Duration.milliseconds(50)

    /// The maximum number of objects that are embedded in one exported row; 10,000 by default.
    ///
    /// An export of a row that leads to more throws an error that suggests what to omit, because a
    /// few links can lead to the whole store.
    public var exportedObjects = 10_000

    /// The maximum number of items of an import that are postponed because another row has a value
    /// that must be unique; 100,000 by default.
    ///
    /// Postponed items are retried after all others have been read. Items beyond the limit are
    /// rejected immediately, and reported.
    public var postponedItems = 100_000

    /// The maximum number of distinct diagnostics in a report; 1,000 by default.
    ///
    /// Further ones are counted, but not contained in the report.
    public var diagnostics = 1_000

    /// The maximum number of bytes of an invalid value that a diagnostic contains; 80 by default.
    ///
    /// It applies only if the import was asked to report values.
    public var diagnosticValueBytes = 80

    /// The maximum number of bytes of the key, the path and the message of a diagnostic, each; 500
    /// by default.
    ///
    /// Longer texts are truncated and end with an ellipsis. Together with ``diagnostics`` it bounds
    /// the size of a report.
    public var diagnosticTextBytes = 500

    /// How long decided conflicts between local changes and those of the service are kept.
    public var conflicts = Conflicts()

    /// How long the records of decided conflicts are kept, so that the decisions can be reversed.
    ///
    /// A record is deleted only if it is older than ``age`` and there are more than ``records``.
    /// Conflicts that await a decision are never deleted.
    ///
    /// ```swift
    /// var limits = Limits()
    /// limits.conflicts.age = .seconds(365 * 86_400)
    /// ```
    public struct Conflicts: Hashable, Sendable {
        /// The time for which the record of a decided conflict is kept in any case; 90 days by
        /// default.
        public var age = Duration.seconds(90 * 86_400)

        /// The number of records up to which older ones are kept, too; 10,000 by default.
        public var records = 10_000

        /// Creates limits with the default values; change the properties that should differ.
        public init() {}
    }

    /// The bounds on requests and their responses.
    ///
    /// ```swift
    /// var limits = Limits()
    /// limits.http.idleTimeout = .seconds(10)
    /// limits.http.retryTime = .seconds(60)
    /// limits.http.bodyBytes = 64 << 20
    /// let transport = URLSessionTransport(limits: limits)
    /// ```
    ///
    /// Pass the same limits to the transport, which applies the timeouts, and to the `SyncEngine`.
    public struct HTTP: Hashable, Sendable {
        /// The maximum number of bytes of a response that are held in memory; 8 MiB by default.
        ///
        /// Longer responses are spooled to a temporary file, so that their length does not affect
        /// memory. A response up to this size that breaks off is requested again.
        public var bodyInMemory = 8 << 20

        /// The maximum size of a response body in bytes, after decompression; 2 GiB by default.
        ///
        /// A longer response fails the pull of its list. Counting after decompression rejects a
        /// small response that would expand to a huge one.
        public var bodyBytes = 2 << 30

        /// The maximum size of a file that is downloaded or uploaded, in bytes; 64 MiB by default.
        ///
        /// It applies to the files of `SyncEngine.assets`. A longer one is rejected before it is
        /// transferred, if the service announces its length.
        public var assetBytes = 64 << 20

        /// The maximum number of changes of one list that a service may reject in succession; 25 by
        /// default.
        ///
        /// After them no more are sent to the list in the same push: if its path or the permissions
        /// are wrong, a push does not reject every change of the outbox.
        public var consecutiveRejections = 25

        /// The maximum number of pages of one list; 10,000 by default.
        ///
        /// A list with a further page fails with `RemoteError.Code.pageLimit`; the pages before are
        /// kept. The limit ends a pagination whose next links never end. A link to a page that was
        /// already read is detected before.
        public var pages = 10_000

        /// The maximum number of redirects that one request follows; 5 by default.
        ///
        /// Only `GET` and `HEAD` requests are redirected, and only to the origins of the service.
        public var redirects = 5

        /// The maximum number of attempts for one request, the first one included; 5 by default.
        ///
        /// A request is retried after the status 429 or 5xx, a timeout, a failed connection or a
        /// truncated body, if its method is idempotent (RFC 9110, 9.2.2). The delay is random, up
        /// to a bound that doubles from 0.5 to 30 seconds (exponential backoff), unless the service
        /// specifies one. With 1, nothing is retried.
        public var attempts = 5

        /// The longest time without data from a service before a request times out; 30 seconds by
        /// default.
        ///
        /// It applies to the time from a request to the head of its response, and then to the time
        /// from one piece of the body to the next. A slow body does not time out as long as data
        /// arrives; ``responseTime`` bounds its total duration.
        public var idleTimeout = Duration.seconds(30)

        /// The maximum duration of one response, from the request to the last byte of its body; one
        /// hour by default.
        ///
        /// It ends a response that arrives a byte at a time.
        public var responseTime = Duration.seconds(3_600)

        /// The maximum time over which one request is retried; 300 seconds by default.
        ///
        /// A request fails without another attempt if the delay before it, for example from a
        /// `Retry-After` header field (RFC 9110, 10.2.3), would end after this time. The pull of
        /// its list then fails, and a later pull resumes it.
        public var retryTime = Duration.seconds(300)

        /// The longest pause that a service may request; 24 hours by default.
        ///
        /// A longer one, in `Retry-After` (RFC 9110, 10.2.3) or `Backoff`, counts as one of this
        /// length. Without the limit, a date in the wrong year would postpone a change forever. A
        /// local change that was to be sent later than this, because the clock was set back
        /// meanwhile, is sent by the next push.
        public var pause = Duration.seconds(86_400)

        /// Creates limits with the default values; change the properties that should differ.
        public init() {}
    }

    /// Creates limits with the default values.
    ///
    /// Change the properties that should differ.
    ///
    /// ```swift
    /// var limits = Limits()
    /// limits.transactionTime = .milliseconds(20)
    /// let importer = Importer(store, limits: limits)
    /// ```
    public init() {}
}
