package import TidemarkJSON

/// The conversion of JSON values to the type of an attribute.
///
/// Create a coercion once for each attribute and use it for all values. Invalid data does not
/// throw: a value that cannot be converted results in ``CoercionResult/failure(_:)``, and the
/// caller decides what to store.
package struct Coercion: Sendable {
    /// The type to which values are converted.
    package var type: AttributeType { rules.type }

    /// The encoding of binary values.
    package var encoding: Attribute.BinaryEncoding { rules.encoding }

    /// The format of dates.
    package var dateFormat: DateFormat { rules.dateFormat }

    /// The value of new rows that are given none, converted to the attribute's type.
    package var defaultValue: Value? { rules.defaultValue }

    var nullValues: NullValues { rules.nullValues }
    private var transformer: AttributeTransformer? { rules.transformer }
    var hasTransformer: Bool { rules.hasTransformer }

    /// All properties in one object, so that copying a coercion for each value costs a single
    /// retain.
    private let rules: Rules

    private final class Rules: Sendable {
        let type: AttributeType
        let encoding: Attribute.BinaryEncoding
        let dateFormat: DateFormat
        let defaultValue: Value?
        let nullValues: NullValues
        let hasNullValues: Bool
        let isPlainDate: Bool
        let transformer: AttributeTransformer?
        let hasTransformer: Bool

        init(
            _ attribute: Attribute,
            dateFormat: DateFormat,
            defaultValue: Value?,
            transformer: AttributeTransformer?
        ) {
            type = attribute.type
            encoding = attribute.json.encoding
            self.dateFormat = dateFormat
            self.defaultValue = defaultValue
            nullValues = NullValues(attribute.json.nullValues)
            hasNullValues = !nullValues.isEmpty
            isPlainDate = attribute.json.dateFormat == nil
            self.transformer = transformer
            hasTransformer = transformer != nil
        }
    }

    /// Creates the coercion for an attribute.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - transformer: A conversion to apply to its values first.
    /// - Throws: ``ModelError`` if the attribute's date format is invalid, or its default value
    ///   cannot be converted to its type.
    package init(
        _ attribute: Attribute,
        transformer: AttributeTransformer? = nil
    ) throws(ModelError) {
        let dateFormat: DateFormat
        do {
            dateFormat = try attribute.json.dateFormat.map(DateFormat.init(_:)) ?? .automatic
        } catch {
            throw ModelError(
                error.code,
                "Attribute \(attribute.name): \(error.message)",
                hint: error.hint
            )
        }
        var converted: Value?
        if let value = attribute.defaultValue {
            do throws(CoercionFailure) {
                converted = try Self.local(
                    value,
                    to: attribute.type,
                    encoding: attribute.json.encoding,
                    dateFormat: dateFormat
                )
            } catch {
                throw ModelError(
                    .invalid,
                    "The default value of attribute \(attribute.name) does not convert: \(error)"
                )
            }
        }
        rules = Rules(
            attribute,
            dateFormat: dateFormat,
            defaultValue: converted,
            transformer: transformer
        )
    }

    /// Converts a JSON value.
    ///
    /// Text in the result refers to memory of the document or of the arena.
    package func coerce(_ node: JSONNode, into arena: ValueArena) -> CoercionResult {
        if node.kind == .null { return .value(.null) }
        if rules.hasNullValues, nullValues.contains(node, in: arena) { return .value(.null) }
        if hasTransformer, let transformer { return transformed(node, by: transformer, in: arena) }
        do {
            return .value(try stored(node, in: arena))
        } catch {
            return type == .transformable ? .ignored : .failure(error)
        }
    }

    /// Converts a JSON value that is a primary key or a reference to one.
    ///
    /// This differs from ``coerce(_:into:)`` for integer keys. A URL or an absolute path is
    /// accepted, and its last path component is the key: 1 for `https://host/api/people/1/`. A key
    /// may also exceed the range of its attribute's type, up to 64 bits: rejecting it would lose
    /// the row.
    package func coerceKey(_ node: JSONNode, into arena: ValueArena) -> CoercionResult {
        let result = coerce(node, into: arena)
        guard type.isInteger, !hasTransformer, case .failure(let failure) = result else {
            return result
        }
        let scalar = Scalar(node, in: arena)
        do {
            switch failure {
            case .outOfRange:
                return .value(.integer(try scalar.integer(.integer64)))
            case .notANumber where node.kind == .string:
                guard let component = ResourcePath.lastComponent(scalar.bytes) else {
                    return result
                }
                return .value(.integer(try Scalar(.string, bytes: component).integer(.integer64)))
            default:
                return result
            }
        } catch {
            return .failure(error)
        }
    }

    /// Converts a local value, one that does not come from a service, by the rules for JSON values.
    ///
    /// The attribute's `nullValues` and its transformer are not applied.
    ///
    /// - Throws: ``CoercionFailure`` if the value cannot be converted.
    package func coerce(_ value: Value) throws(CoercionFailure) -> Value {
        try Self.local(value, to: type, encoding: encoding, dateFormat: dateFormat)
    }

    @inline(__always)
    private func stored(
        _ node: JSONNode,
        in arena: ValueArena
    ) throws(CoercionFailure) -> StoredValue {
        switch type {
        case .json: return .text(node.compactText(in: arena))
        case .binary:
            return .blob(
                encoding == .base64 ? try Self.base64(node, in: arena) : node.compactText(in: arena)
            )
        case .date:
            let scalar = try Self.dateScalar(node, in: arena)
            let moment =
                rules.isPlainDate
                ? DateFormat.automatic(scalar.bytes)
                : dateFormat.microseconds(from: scalar.bytes)
            guard let moment else { throw .notADate }
            return .real(DateFormat.seconds(fromMicroseconds: moment))
        case .transformable: throw .notTransformed
        case .string, .uri:
            let text = node.kind == .object ? Self.fileAddress(node) ?? node : node
            return try Scalar(text, in: arena).stored(type, in: arena)
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .uuid:
            return try Scalar(node, in: arena).stored(type, in: arena)
        }
    }
}

/// The result of a conversion.
@frozen package enum CoercionResult {
    /// The converted value.
    case value(StoredValue)
    /// The value cannot be converted. By default an import keeps the stored value.
    case failure(CoercionFailure)
    /// The attribute is transformable and has no registered transformer.
    case ignored
}

@available(*, unavailable)
extension CoercionResult: Sendable {}
