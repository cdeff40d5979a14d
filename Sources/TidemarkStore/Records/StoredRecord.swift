public import TidemarkModel

/// A row with its values and links, as somebody reads it one at a time.
public struct StoredRecord: Sendable, Hashable {
    /// The row's local name.
    public let reference: RowReference

    /// The values of its attributes, by name.
    public let values: [String: Value]

    /// The rows it is linked to, by relationship; at most one for a to-one relationship.
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

    /// The value of an attribute; null where there is none.
    public subscript(attribute: String) -> Value {
        values[attribute] ?? .null
    }
}
