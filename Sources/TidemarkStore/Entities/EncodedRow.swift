import Foundation
public import TidemarkModel

/// The values that a record writes to its row.
///
/// ``EntityRecord/encode(to:)`` sets one value for each attribute and to-one relationship of
/// ``EntityRecord/entity``, in their order:
///
/// ```swift
/// struct Tag {
///     var name: String
///     var owner: One<User>
///
///     func encode(to row: inout EncodedRow) throws {
///         row.set("name", name)
///         row.set("owner", owner)
///     }
/// }
/// ```
public struct EncodedRow {
    private(set) var values: [Value] = []
    private let names: PropertyNames

    init(_ names: PropertyNames) {
        self.names = names
        values.reserveCapacity(names.count)
    }

    /// Sets the value of an attribute; nil is null.
    @inlinable
    public mutating func set<V: AttributeValue>(_ name: StaticString, _ value: V?) {
        // Inlined, as the subscripts of `EntityRow` are.
        append(value?.attributeValue ?? .null, name)
    }

    /// Sets the link of a to-one relationship.
    @inlinable
    public mutating func set<Destination: EntityRecord>(
        _ name: StaticString,
        _ link: One<Destination>
    ) {
        append(link.rowID.map { .integer($0.number) } ?? .null, name)
    }

    /// Sets the content of a JSON attribute; nil is null.
    ///
    /// - Throws: `EncodingError` if the content cannot be encoded.
    public mutating func set(_ name: StaticString, document content: (some Encodable)?) throws {
        guard let content else { return append(.null, name) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        append(.json(String(decoding: try encoder.encode(content), as: UTF8.self)), name)
    }

    /// Returns the values, which the caller can change without a copy.
    ///
    /// - Throws: ``StoreError/Code/typeMismatch`` if a property has no value, or the order is not
    ///   that of the entity.
    consuming func complete() throws(StoreError) -> [Value] {
        try names.check(isComplete: values.count)
        return values
    }

    @usableFromInline
    mutating func append(_ value: Value, _ name: StaticString) {
        guard names.isProperty(name, at: values.count) else { return }
        values.append(value)
    }
}
