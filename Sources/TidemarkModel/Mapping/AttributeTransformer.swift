public import TidemarkJSON

/// An app's own conversion between the JSON values and the stored values of an attribute.
///
/// Use it if a service writes values in a form that the types of attributes do not cover. The model
/// refers to it by name (``Attribute/JSONRepresentation/valueTransformer``), under which imports
/// and exports look it up. Null is never passed to a transformer: it clears the attribute.
///
/// ```swift
/// let cents = AttributeTransformer(
///     reading: { node in
///         guard let amount = Double(node.string) else { throw CocoaError(.formatting) }
///         return .integer(Int64((amount * 100).rounded()))
///     },
///     writing: { value in
///         guard case .integer(let cents) = value else { return value }
///         return .double(Double(cents) / 100)
///     }
/// )
/// let importer = Importer(store, transformers: ["cents": cents])
/// let exporter = Exporter(store, transformers: ["cents": cents])
/// ```
///
/// The closures are called by the thread that imports or exports, within its transaction, and must
/// be fast. If a transformer changes, increase the version of the `Importer`: a pull then reads
/// again what it has converted with the old one.
public struct AttributeTransformer: Sendable {
    /// Returns the value to store for a JSON value that is not null.
    ///
    /// The result is converted to the attribute's type like a local value; for a transformable
    /// attribute it is stored unchanged. An error is reported as a diagnostic, and by default the
    /// stored value is kept.
    package let reading: @Sendable (JSONNode) throws -> Value

    /// Returns the value to export for a stored value that is not null: ``Value/json(_:)`` for an
    /// array or an object, otherwise any scalar.
    package let writing: @Sendable (Value) throws -> Value

    /// Creates a transformer.
    ///
    /// ```swift
    /// let tags = AttributeTransformer { node in
    ///     .string(node.elements.map(\.string).joined(separator: ","))   // ["a", "b"] becomes a,b
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - reading: A closure that returns the value to store for a JSON value that is not null.
    ///     The result is converted to the type of the attribute; for a transformable attribute it
    ///     is stored unchanged. The node is valid only inside the closure. An error is reported as
    ///     a diagnostic, and by default the stored value is kept.
    ///   - writing: A closure that returns the value to export for a stored value that is not null:
    ///     ``Value/json(_:)`` for an array or an object, otherwise any scalar. Its errors end the
    ///     export. Defaults to the stored value itself.
    public init(
        reading: @escaping @Sendable (JSONNode) throws -> Value,
        writing: @escaping @Sendable (Value) throws -> Value = { $0 }
    ) {
        self.reading = reading
        self.writing = writing
    }

    /// Creates a transformer between JSON and the values of a Swift type.
    ///
    /// ```swift
    /// enum Level: Int, AttributeValue { case low = 1, high }
    ///
    /// let levels = AttributeTransformer(
    ///     Level.self,
    ///     reading: { node in node.string == "HIGH" ? .high : .low },
    ///     writing: { level in .string(level == .high ? "HIGH" : "LOW") }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the property.
    ///   - reading: A closure that returns the value to store for a JSON value that is not null.
    ///   - writing: A closure that returns the value to export, as in ``init(reading:writing:)``. A
    ///     stored value that the type does not have is exported unchanged. Defaults to the stored
    ///     value itself.
    public init<V: AttributeValue>(
        _ type: V.Type,
        reading: @escaping @Sendable (JSONNode) throws -> V,
        writing: @escaping @Sendable (V) throws -> Value = { $0.attributeValue }
    ) {
        self.init(
            reading: { try reading($0).attributeValue },
            writing: { stored in try V(attributeValue: stored).map(writing) ?? stored }
        )
    }
}

extension Coercion {
    /// Converts a JSON value with the attribute's transformer.
    func transformed(
        _ node: JSONNode,
        by transformer: AttributeTransformer,
        in arena: ValueArena
    ) -> CoercionResult {
        do {
            let value = try coerce(transformer.reading(node))
            return .value(value.stored(in: arena))
        } catch let failure as CoercionFailure {
            return .failure(failure)
        } catch {
            return .failure(.rejected("\(error)"))
        }
    }
}
