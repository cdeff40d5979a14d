/// A value in the form in which SQLite stores it.
///
/// Text and blobs are borrowed.
///
/// The inner loop of an import uses it because it owns no memory and is copied at no cost. Text and
/// blobs point into the document that is being read or into a ``ValueArena``. Do not keep a value
/// longer than the object that it was read from.
@frozen package enum StoredValue {
    /// `NULL`.
    case null
    /// An `INTEGER`.
    case integer(Int64)
    /// A `REAL`.
    case real(Double)
    /// A `TEXT` in UTF-8.
    case text(UnsafeRawBufferPointer)
    /// A `BLOB`.
    case blob(UnsafeRawBufferPointer)
}

// Another thread could reuse the borrowed memory while the value is in use.
@available(*, unavailable)
extension StoredValue: Sendable {}
