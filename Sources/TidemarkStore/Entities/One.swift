/// The row that a to-one relationship of a record leads to.
///
/// A fetched record always knows the identity of the row. Its record is there only if the request
/// includes it, so that reading a property never reads the store:
///
/// ```swift
/// let notes = try store.read { reader in try reader.fetch(Note.including(\.user)) }
/// for note in notes { print(note.text, note.user.value?.name ?? "-") }
/// ```
///
/// Assign a record that has been inserted, the identity of a row, or nil to change the link.
public struct One<Record: EntityRecord>: Sendable, ExpressibleByNilLiteral {
    // Inlined where the record is known: the type of a link takes longer to look up than to make.
    @usableFromInline
    let content: Content

    @usableFromInline
    enum Content: Sendable {
        case none
        case row(RowID<Record>)
        // Indirect, because a record may have a property for another one of its own type.
        indirect case record(Record)
    }

    /// Creates a link to a record.
    @inlinable
    public init(_ record: Record) {
        content = .record(record)
    }

    /// Creates a link to a row, or none.
    @inlinable
    public init(_ rowID: RowID<Record>?) {
        content = if let rowID { .row(rowID) } else { .none }
    }

    /// Creates no link.
    @inlinable
    public init(nilLiteral: ()) {
        content = .none
    }

    /// No link.
    @inlinable
    public static var none: Self { Self(nil) }

    /// The identity of the linked row; nil without one.
    @inlinable
    public var rowID: RowID<Record>? {
        switch content {
        case .none: nil
        case .row(let rowID): rowID
        case .record(let record): record.rowID
        }
    }

    /// The linked record; nil without one, or if the request did not include it.
    ///
    /// ``get()`` distinguishes the two.
    public var value: Record? {
        guard case .record(let record) = content else { return nil }
        return record
    }

    /// Returns the linked record; nil without one.
    ///
    /// - Returns: The record.
    /// - Throws: ``StoreError/Code/notLoaded`` if the request did not include it.
    public func get() throws(StoreError) -> Record? {
        guard case .row = content else { return value }
        throw StoreError.notLoaded(Record.entityName)
    }
}

extension One: Equatable where Record: Equatable {
    /// Returns whether two links lead to the same row, with equal records if they are loaded.
    public static func == (left: Self, right: Self) -> Bool {
        left.rowID == right.rowID && left.value == right.value
    }
}

extension One: Hashable where Record: Hashable {
    /// Hashes the identity of the linked row.
    public func hash(into hasher: inout Hasher) { hasher.combine(rowID) }
}
