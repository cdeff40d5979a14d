/// The bounds on everything that comes from outside: bytes, depth, pages, attempts, rows.
///
/// Nothing that reads the network or a document runs without one of these.
public struct Limits: Hashable, Sendable {
    /// How deep arrays and objects may be nested in a document, imported or exported.
    ///
    /// An import uses memory for each level, but none of the stack, so that a thread with half a
    /// megabyte of stack is enough at any depth. What an export writes, an import of the same
    /// limits reads.
    public var jsonDepth = 256

    /// How many bytes one item of a list may have, nested objects included.
    ///
    /// An item is held in memory as a whole. A file or a response may be longer, as it is read item
    /// by item.
    public var jsonItemBytes = 64 << 20

    /// How many values and member names one item of a list, or a document that is scanned as a
    /// whole, may have.
    ///
    /// Each takes 16 bytes of memory while the item is read, so that many small values
    /// (`[0,0,0,…]`) need eight times the memory of their text.
    public var jsonItemTokens = 4 << 20

    /// How many bytes of a response are held in memory; longer ones are written to a temporary
    /// file.
    public var bodyInMemory = 8 << 20

    /// How many bytes a response may have, decoded.
    public var bodyBytes = 2 << 30

    /// How many pages one list may have.
    public var pages = 10_000

    /// How many redirects one request may follow.
    public var redirects = 5

    /// How many times one request is tried.
    public var attempts = 5

    /// How long nothing may come from a service: from a request to the head of its answer, and then
    /// from one piece of the body to the next.
    ///
    /// A body that is slow and goes on is no failure: how long it may take is ``answerTime``.
    public var idleTimeout = Duration.seconds(30)

    /// How long one answer may take in all, from the request to the last byte of its body.
    public var answerTime = Duration.seconds(3_600)

    /// How long one request may be retried in all.
    public var retryTime = Duration.seconds(300)

    /// How many resources are pulled at the same time.
    public var concurrency = 4

    /// How many events are kept for somebody who is slow to read them.
    public var events = 10_000

    /// How many rows one transaction of a walk may name, those nested in others included.
    public var rowsInTransaction = 10_000

    /// How long one transaction of a walk may take, so that others can write in between.
    public var transactionTime = Duration.milliseconds(50)

    /// How many objects one exported row may have embedded in it.
    public var exportedObjects = 10_000

    /// How many items of an import may wait to be tried again, because another row has a value that
    /// must be unique; those beyond are refused at once.
    public var postponedItems = 100_000

    /// How many different diagnostics a report keeps.
    public var diagnostics = 1_000

    /// How many bytes of an offending value a diagnostic shows.
    public var diagnosticValueBytes = 80

    /// How many bytes the key, the path and the message of a diagnostic may have each.
    ///
    /// Longer ones are cut. With ``diagnostics`` it bounds the size of a report.
    public var diagnosticTextBytes = 500

    /// How many different names the objects of one place may have when a model is inferred; beyond
    /// that they are data, not properties.
    public var inferredNames = 500

    /// How many different places samples may have in all when a model is inferred.
    public var inferredPlaces = 10_000

    /// How deep arrays and objects of a sample are looked at when a model is inferred; those that
    /// are deeper are kept as JSON.
    ///
    /// An inference follows them by recursion, on threads whose stack may be half a megabyte.
    public var inferredDepth = 64

    /// How many entities an inferred model may have; further objects are kept as JSON, and further
    /// lists are refused.
    public var inferredEntities = 250

    /// How many values of a member are held when a model is inferred, to prove that no two objects
    /// have the same; a member that has more is the key only where its name says so.
    public var inferredKeys = 1_000_000

    /// How many relationships may lead from one entity to another for those that lead back to be
    /// compared with each of them when a model is inferred; where there are more, each gets an
    /// inverse of its own.
    public var inferredRivals = 100

    /// Creates the default limits; change the properties that should differ.
    public init() {}
}
