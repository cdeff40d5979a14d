/// A value in the form SQLite stores, borrowed from bytes that outlive it.
///
/// The currency of the import's inner loop: it owns nothing and costs nothing to copy. A text or a
/// blob points into the document that is being read or into a ``ValueArena``; it must not be kept
/// past the object it came from.
@frozen public enum StoredValue {
    /// SQL's NULL.
    case null
    /// An INTEGER.
    case integer(Int64)
    /// A REAL.
    case real(Double)
    /// A TEXT, in UTF-8.
    case text(UnsafeRawBufferPointer)
    /// A BLOB.
    case blob(UnsafeRawBufferPointer)
}

@available(*, unavailable)
extension StoredValue: Sendable {}
