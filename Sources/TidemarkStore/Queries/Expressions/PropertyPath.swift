/// The path from a row to a property, of which the expressions in requests are made.
///
/// Only conformances to ``EntityProperties`` use it: each property of a record type becomes an
/// expression.
///
/// ```swift
/// struct NoteProperties: EntityProperties {
///     typealias Record = Note
///     let path: PropertyPath
///     init(_ path: PropertyPath) { self.path = path }
///     var text: AttributeExpression<String> { path.attribute("text") }
///     var user: ToOneExpression<Note, User> { path.one("user", \.user) }
/// }
/// ```
public struct PropertyPath: Sendable {
    /// The row at which the path begins.
    let origin: PredicateOrigin

    let names: [String]

    /// Whether the path ends with the number of linked rows.
    let isCounted: Bool

    /// The path to the row that a request selects.
    static let row = PropertyPath(origin: .row)

    init(origin: PredicateOrigin, names: [String] = [], isCounted: Bool = false) {
        self.origin = origin
        self.names = names
        self.isCounted = isCounted
    }

    /// Returns the expression of an attribute.
    ///
    /// - Parameter name: The name of the attribute.
    /// - Returns: The expression.
    public func attribute<V>(_ name: String) -> AttributeExpression<V> {
        AttributeExpression(path: appending(name))
    }

    /// Returns the expression of a JSON attribute, which can only be compared with nil.
    ///
    /// - Parameter name: The name of the attribute.
    /// - Returns: The expression.
    public func document(_ name: String) -> DocumentExpression {
        DocumentExpression(path: appending(name))
    }

    /// Returns the expression of a to-one relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - property: The property of the record that an inclusion loads.
    /// - Returns: The expression.
    public func one<Record, Destination>(
        _ name: String,
        _ property: any WritableKeyPath<Record, One<Destination>> & Sendable
    ) -> ToOneExpression<Record, Destination> {
        ToOneExpression(path: appending(name), property: property)
    }

    /// Returns the expression of a to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - property: The property of the record that an inclusion loads.
    /// - Returns: The expression.
    public func many<Record, Destination>(
        _ name: String,
        _ property: any WritableKeyPath<Record, Many<Destination>> & Sendable
    ) -> ToManyExpression<Record, Destination> {
        ToManyExpression(path: appending(name), property: property)
    }

    private func appending(_ name: String) -> PropertyPath {
        PropertyPath(origin: origin, names: names + [name])
    }

    /// The path to the number of the rows at the end of the path.
    var counted: PropertyPath {
        PropertyPath(origin: origin, names: names, isCounted: true)
    }

    /// The names, joined by dots.
    var keyPath: String {
        (names + (isCounted ? [RequestSQL.countName] : [])).joined(separator: ".")
    }

    /// The path in a predicate.
    var operand: PredicateOperand {
        PredicateOperand(content: .path(predicatePath), location: .none)
    }

    var predicatePath: PredicatePath {
        PredicatePath(
            origin: origin,
            names: names.map { PredicatePath.Name(text: $0, location: .none) },
            isCounted: isCounted
        )
    }
}

extension TextLocation {
    /// The location of what was not written as a text.
    static let none = TextLocation(offset: 0)
}
