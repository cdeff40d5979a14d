public import TidemarkModel

/// A copy of a row of a store, with its values and links.
///
/// ``StoreReader/record(_:)`` and `StoreReader.fetch(_:)` return records. A record is a value: it
/// does not change when the row does, and may be passed between tasks. To write, use the functions
/// of ``StoreWriter``. For types of your own, read the tables with GRDB records instead.
///
/// ```swift
/// let film = try store.read { reader in try reader.record(RecordLocator("Film:4")) }
/// if case .string(let title) = film["title"] { print(title) }
/// for character in film.links["characters"] ?? [] { print(character) }   // Person#1
/// ```
public struct StoredRecord: Sendable, Hashable {
    /// The reference that identifies the row.
    ///
    /// Its entity is the most derived one, even if the row was requested as one that it inherits
    /// from.
    public let reference: RowReference

    /// The values of its attributes, by attribute name, in the types of the model.
    ///
    /// It contains every attribute that has a column, those of parent entities included; an
    /// attribute without a value is `Value.null`. Transient attributes have no entry.
    public let values: [String: Value]

    /// The linked rows, by relationship name; at most one for a to-one relationship.
    ///
    /// The rows of an ordered relationship are in its order, others in the order of row numbers.
    /// Unresolved references are not included. A relationship that was not read has no entry: see
    /// ``RecordRequest/links``.
    public let links: [String: [RowReference]]

    package init(
        reference: RowReference,
        values: [String: Value],
        links: [String: [RowReference]]
    ) {
        self.reference = reference
        self.values = values
        self.links = links
    }

    /// The value of an attribute; `Value.null` if it has no value or if the entity has no such
    /// attribute.
    public subscript(attribute: String) -> Value {
        values[attribute] ?? .null
    }
}
