/// A conversion of an app's own between what a service sends for an attribute and what is stored.
///
/// A model names it under `valueTransformer`, and an import and an export look it up by that name.
/// Null never goes through a transformer: it clears the attribute.
///
/// ```swift
/// let cents = AttributeTransformer(
///     reading: { node in
///         guard let amount = Double(node.string) else { throw NoAmount() }
///         return .integer(Int64((amount * 100).rounded()))
///     },
///     writing: { value in
///         guard case .integer(let cents) = value else { return value }
///         return .string("\(Double(cents) / 100)")
///     }
/// )
/// ```
public struct AttributeTransformer: Sendable {
    /// What is stored for a JSON value that is not null.
    ///
    /// The result is converted to the attribute's type as a local value is; in a transformable
    /// attribute it stays as it is. An error becomes a diagnostic, and the stored value stays.
    public let reading: @Sendable (JSONNode) throws -> Value

    /// What is exported for a stored value that is not null: a ``Value/json(_:)`` for a list or an
    /// object, else any scalar.
    public let writing: @Sendable (Value) throws -> Value

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - reading: what is stored for a JSON value.
    ///   - writing: what is exported for a stored value; without it the value itself.
    public init(
        reading: @escaping @Sendable (JSONNode) throws -> Value,
        writing: @escaping @Sendable (Value) throws -> Value = { $0 }
    ) {
        self.reading = reading
        self.writing = writing
    }
}

extension Coercion {
    /// Converts a JSON value that the attribute's transformer reads.
    func transformed(
        _ node: JSONNode,
        by transformer: AttributeTransformer,
        in arena: ValueArena
    ) -> CoercionResult {
        do {
            let value = try Self.local(transformer.reading(node), type, encoding, dateFormat)
            return .value(value.stored(in: arena))
        } catch let failure as CoercionFailure {
            return .failure(failure)
        } catch {
            return .failure(.refused("\(error)"))
        }
    }
}
