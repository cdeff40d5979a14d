/// How the values a service sends become the values an attribute stores.
///
/// Made once for an attribute, used for each of its values. Bad data is no error here: a value that
/// does not convert is a ``CoercionResult/failure(_:)``, and the caller leaves what is stored as it
/// is.
///
/// ```swift
/// let coercion = try Coercion(Attribute("age", .integer16))
/// switch coercion.coerce(node, into: arena) {
/// case .value(let stored): statement.bind(stored)
/// case .failure(let failure): report(failure.sentence())
/// case .ignored: break
/// }
/// ```
public struct Coercion: Sendable {
    /// The type values are converted to.
    public var type: AttributeType { rules.type }

    /// What a binary attribute holds.
    public var encoding: Attribute.BinaryEncoding { rules.encoding }

    /// How the attribute's dates are written.
    public var dateFormat: DateFormat { rules.dateFormat }

    /// What a new row gets when nobody gives a value, converted to the attribute's type.
    public var defaultValue: Value? { rules.defaultValue }

    var nullValues: NullValues { rules.nullValues }
    private var transformer: AttributeTransformer? { rules.transformer }
    private var hasTransformer: Bool { rules.hasTransformer }

    /// All in one place, so that handing a coercion on for each value costs next to nothing.
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
            _ dateFormat: DateFormat,
            _ defaultValue: Value?,
            _ transformer: AttributeTransformer?
        ) {
            type = attribute.type
            encoding = attribute.encoding
            self.dateFormat = dateFormat
            self.defaultValue = defaultValue
            nullValues = NullValues(attribute.nullValues)
            hasNullValues = !nullValues.isEmpty
            isPlainDate = attribute.dateFormat == nil
            self.transformer = transformer
            hasTransformer = transformer != nil
        }
    }

    /// Creates the coercion of an attribute.
    ///
    /// - Parameters:
    ///   - attribute: the attribute.
    ///   - transformer: what its values go through first.
    /// - Throws: ``ModelError`` when the attribute's date format is none, or its default value does
    ///   not convert to its type.
    public init(
        _ attribute: Attribute,
        transformer: AttributeTransformer? = nil
    ) throws(ModelError) {
        let dateFormat: DateFormat
        do {
            dateFormat = try attribute.dateFormat.map(DateFormat.init(_:)) ?? .automatic
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
                    attribute.type,
                    attribute.encoding,
                    dateFormat
                )
            } catch {
                throw ModelError(
                    .invalid,
                    "The default value of attribute \(attribute.name) does not convert: \(error)"
                )
            }
        }
        rules = Rules(attribute, dateFormat, converted, transformer)
    }

    /// Converts a JSON value; a text of the result points into the document or the arena.
    public func coerce(_ node: JSONNode, into arena: ValueArena) -> CoercionResult {
        let kind = node.kind
        if kind == .null { return .value(.null) }
        if rules.hasNullValues, nullValues.contains(node, in: arena) { return .value(.null) }
        if hasTransformer, let transformer { return transformed(node, by: transformer, in: arena) }
        do {
            return .value(try stored(node, kind, in: arena))
        } catch {
            return type == .transformable ? .ignored : .failure(error)
        }
    }

    /// Converts a JSON value that is a primary key or refers to one.
    ///
    /// It differs from ``coerce(_:into:)`` where the key is a whole number. A URL or an absolute
    /// path is accepted too, and its last path component is the key (`https://host/api/people/1/`
    /// is 1). And a key may be wider than its attribute: it is an identity, and to refuse it would
    /// lose the row.
    public func coerceKey(_ node: JSONNode, into arena: ValueArena) -> CoercionResult {
        let result = coerce(node, into: arena)
        guard isInteger, !hasTransformer, case .failure(let failure) = result else { return result }
        let scalar = Scalar(node, in: arena)
        do {
            switch failure {
            case .outOfRange:
                return .value(.integer(try scalar.integer(.integer64)))
            case .notANumber where node.kind == .string:
                guard let component = ResourcePath.lastComponent(scalar.bytes) else {
                    return result
                }
                return .value(.integer(try Scalar(.string, component).integer(.integer64)))
            default:
                return result
            }
        } catch {
            return .failure(error)
        }
    }

    /// Converts a value given on this device to the attribute's type, by the rules for JSON values.
    ///
    /// Texts that stand for null when a service sends them do not do so here.
    public func coerce(_ value: Value) throws(CoercionFailure) -> Value {
        try Self.local(value, type, encoding, dateFormat)
    }

    private var isInteger: Bool {
        type == .integer64 || type == .integer32 || type == .integer16
    }

    @inline(__always)
    private func stored(
        _ node: JSONNode,
        _ kind: JSONKind,
        in arena: ValueArena
    ) throws(CoercionFailure) -> StoredValue {
        switch type {
        case .json: return .text(node.compactText(in: arena))
        case .binary:
            return .blob(
                encoding == .base64 ? try Self.base64(node, arena) : node.compactText(in: arena)
            )
        case .date:
            let scalar = try Self.dateScalar(node, kind, arena)
            let moment =
                rules.isPlainDate
                ? DateFormat.automatic(scalar.bytes, nil)
                : dateFormat.microseconds(from: scalar.bytes)
            guard let moment else { throw .notADate }
            return .real(DateFormat.seconds(fromMicroseconds: moment))
        case .transformable: throw .notTransformed
        case .string, .uri:
            let text = kind == .object ? Self.fileAddress(node) ?? node : node
            return try Scalar(text, in: arena).stored(type, in: arena)
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .uuid:
            return try Scalar(node, in: arena).stored(type, in: arena)
        }
    }
}

/// What became of a value.
@frozen public enum CoercionResult {
    /// It converted.
    case value(StoredValue)
    /// It did not; the stored value should stay as it is.
    case failure(CoercionFailure)
    /// There is no rule for it here: only a registered transformer could say.
    case ignored
}

@available(*, unavailable)
extension CoercionResult: Sendable {}
