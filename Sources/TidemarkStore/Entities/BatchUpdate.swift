import TidemarkModel

/// The assignments to all rows of a request.
///
/// ```swift
/// try store.write { writer in
///     try writer.update(Note.filter { $0.text == nil }) {
///         $0.set(\.text, to: "?")
///         $0.set(\.isDone, to: true)
///     }
/// }
/// ```
///
/// The last assignment to a property counts.
public struct BatchUpdate<Record: EntityRecord> {
    /// The assignments, by the name of the property.
    private(set) var assignments: [String: Assignment] = [:]

    enum Assignment {
        case value(Value)
        /// A number that is added to the value of each row that has one.
        case sum(Value)
        /// The row that a to-one relationship leads to; nil for none.
        case link(Int64?)
    }

    /// Sets an attribute; nil removes the value.
    public mutating func set<V>(
        _ attribute: KeyPath<Record.Properties, AttributeExpression<V>>,
        to value: V?
    ) {
        let path = Record.Properties(.row)[keyPath: attribute].path
        assignments[path.keyPath] = .value(value?.attributeValue ?? .null)
    }

    /// Adds a number to an integer attribute of each row that has a value.
    ///
    /// In SQL it is `SET count = count + ?`. A sum out of the attribute's range throws
    /// ``StoreError/Code/invalidValue`` before anything is written.
    public mutating func add<V: FixedWidthInteger>(
        _ number: V,
        to attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) {
        let path = Record.Properties(.row)[keyPath: attribute].path
        assignments[path.keyPath] = .sum(number.attributeValue)
    }

    /// Adds a number to a floating-point attribute of each row that has a value.
    public mutating func add<V: BinaryFloatingPoint>(
        _ number: V,
        to attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) {
        let path = Record.Properties(.row)[keyPath: attribute].path
        assignments[path.keyPath] = .sum(number.attributeValue)
    }

    /// Sets the link of a to-one relationship; nil removes it.
    public mutating func set<Destination>(
        _ relationship: KeyPath<Record.Properties, ToOneExpression<Record, Destination>>,
        to row: RowID<Destination>?
    ) {
        let path = Record.Properties(.row)[keyPath: relationship].path
        assignments[path.keyPath] = .link(row?.number)
    }
}
