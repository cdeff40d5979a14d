/// The maximum size and depth of JSON that is read.
///
/// The limits bound the memory that a faulty or malicious service can make an app use. A text that
/// exceeds one is rejected with a ``JSONError``, at the position where it does. Raise a limit only
/// for a service that you trust.
///
/// ```swift
/// var limits = JSONLimits()
/// limits.depth = 32
/// limits.itemBytes = 1 << 20   // 1 MiB for one object of a list
/// let document = try JSONDocument(body, limits: limits)
/// ```
public struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting depth of arrays and objects in a document that is imported or exported;
    /// 256 by default.
    ///
    /// An import keeps its state for each level on the heap and does not recurse, so that a thread
    /// with a stack of 512 KB is sufficient at any depth. A document that is exported within this
    /// limit can be imported with the same limit.
    public var depth = 256

    /// The maximum size of one item of a list in bytes, nested objects included; 64 MiB by default.
    ///
    /// An item is held in memory as a whole. A file or a response may be longer, because it is read
    /// item by item.
    public var itemBytes = 64 << 20

    /// The maximum number of values and member names in one item of a list, or in a document that
    /// is scanned as a whole; 4,194,304 by default.
    ///
    /// Each takes 16 bytes of memory while the item is read, so that many small values
    /// (`[0,0,0,…]`) need eight times the memory of their text.
    public var itemTokens = 4 << 20

    /// Creates limits with the default values: 256 levels, and items of 64 MiB and 4,194,304
    /// values.
    ///
    /// Change the properties that should differ.
    public init() {}
}
