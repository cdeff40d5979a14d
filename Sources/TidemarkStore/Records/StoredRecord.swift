public import TidemarkModel

/// A single row of a store, with its values and links.
public struct StoredRecord: Sendable, Hashable {
    /// The reference that identifies the row.
    public let reference: RowReference

    /// The values of its attributes, by attribute name.
    public let values: [String: Value]

    /// The linked rows, by relationship name; at most one for a to-one relationship.
    ///
    /// A relationship that was not read has no entry: ``RecordRequest/links``.
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

    /// The value of an attribute; `Value.null` if it has none.
    public subscript(attribute: String) -> Value {
        values[attribute] ?? .null
    }
}
