import Foundation
import GRDB
import TidemarkModel

/// How the values of a column become those of another: by the rules that JSON values go by.
struct ValueConversion: Sendable {
    /// The type of the values as they are stored; nil where there are none.
    let from: AttributeType?

    /// What stands where there is no value.
    let fill: Value?

    private let coercion: Coercion
    private let texts: Coercion

    /// Creates the conversion to an attribute.
    ///
    /// - Parameters:
    ///   - from: the type of the stored values; nil where there are none.
    ///   - attribute: the attribute they are to be of.
    ///   - isKey: whether it is part of a primary key, which may be wider than its attribute.
    ///   - isFilled: whether rows without a value get the attribute's default.
    /// - Throws: `ModelError` when the attribute cannot be.
    init(
        _ from: AttributeType?,
        to attribute: Attribute,
        isKey: Bool,
        isFilled: Bool
    ) throws(ModelError) {
        self.from = from
        var target = attribute
        if isKey, attribute.type == .integer16 || attribute.type == .integer32 {
            target.type = .integer64
        }
        coercion = try Coercion(target)
        texts = try Coercion(Attribute(attribute.name, .string))
        fill = isFilled ? coercion.defaultValue : nil
    }

    /// A stored value as one of the attribute.
    func convert(_ stored: DatabaseValue) throws(ConversionFailure) -> DatabaseValue {
        guard let from, !stored.isNull else { return fill?.databaseValue ?? .null }
        var value = Value(stored, type: from)
        if case .boolean(let flag) = value, isNumber {
            value = .integer(flag ? 1 : 0)
        }
        if value == .json("null"), coercion.type != .json {
            return fill?.databaseValue ?? .null
        }
        let converted: Value
        do {
            converted = try coercion.coerce(value)
        } catch {
            throw .coercion(error)
        }
        guard keepsDigits(of: value, converted) else { throw .losesDigits }
        return converted.databaseValue
    }

    /// Whether a number that became a double or float is the same when it is written again.
    ///
    /// Where it was a double it was rounded already: it has to be as near as a float can be, which
    /// the smallest numbers are not.
    private func keepsDigits(of value: Value, _ converted: Value) -> Bool {
        guard case .double(let number) = converted else { return true }
        if case .double(let former) = value {
            return abs(number - former) <= abs(former) * 0x1p-24
        }
        let written = coercion.type == .float ? "\(Float(number))" : "\(number)"
        guard let before = text(value).flatMap(DecimalNumber.init),
            let after = DecimalNumber(written)
        else { return false }
        return before.isSame(as: after)
    }

    private func text(_ value: Value) -> String? {
        do throws(CoercionFailure) {
            guard case .string(let text) = try texts.coerce(value) else { return nil }
            return text
        } catch {
            return nil
        }
    }

    /// Why a stored value does not convert; nil when it does.
    func failure(_ stored: DatabaseValue) -> ConversionFailure? {
        do throws(ConversionFailure) {
            _ = try convert(stored)
            return nil
        } catch {
            return error
        }
    }

    private var isNumber: Bool {
        switch coercion.type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        case .string, .boolean, .date, .binary, .uuid, .uri, .transformable, .json: false
        }
    }

    /// Whether every value of a type is stored just so as one of another.
    static func isNeeded(_ from: AttributeType, _ to: AttributeType) -> Bool {
        switch (from, to) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
            (.float, .double), (.uuid, .string), (.uri, .string), (.decimal, .string):
            false
        default:
            from != to
        }
    }
}

/// Why a stored value does not become one of another type.
enum ConversionFailure: Error, CustomStringConvertible {
    /// Nor would it come from a service.
    case coercion(CoercionFailure)
    /// It would come back as another number.
    case losesDigits

    /// The failure in a sentence without the value.
    var description: String {
        switch self {
        case .coercion(let failure): failure.description
        case .losesDigits: "The value would lose digits."
        }
    }
}

extension Value {
    /// A value of an attribute's type from what is stored for it.
    init(_ stored: DatabaseValue, type: AttributeType) {
        switch stored.storage {
        case .null: self = .null
        case .int64(let number): self.init(StoredValue.integer(number), type: type)
        case .double(let number): self.init(StoredValue.real(number), type: type)
        case .string(var text):
            self = text.withUTF8 { Value(.text(UnsafeRawBufferPointer($0)), type: type) }
        case .blob(let data): self = .binary(Array(data))
        }
    }
}
