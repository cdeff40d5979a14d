import Foundation
import GRDB
import TidemarkJSON
import TidemarkModel

/// The conversion of a column's stored values to another attribute, by the rules for JSON values.
struct ValueConversion: Sendable {
    /// The type of the stored values; nil if no column had them.
    let from: AttributeType?

    /// The value for rows without one; nil leaves them null.
    let fill: Value?

    private let coercion: Coercion
    private let texts: Coercion

    /// Creates the conversion to an attribute.
    ///
    /// - Parameters:
    ///   - from: The type of the stored values; nil if no column had them.
    ///   - attribute: The attribute to convert to.
    ///   - isKey: Whether it is part of a primary key, whose integers may be wider than the
    ///     attribute's type.
    ///   - isFilled: Whether rows without a value get the attribute's default.
    /// - Throws: `ModelError` if the attribute's date format or default value is invalid.
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

    /// Returns a stored value converted to the attribute.
    func convert(_ stored: DatabaseValue) throws(ConversionFailure) -> DatabaseValue {
        guard let from, !stored.isNull else { return fill?.databaseValue ?? .null }
        var value = Value(stored, type: from)
        // The coercion of JSON values does not take a boolean for a number.
        if case .boolean(let flag) = value, isNumber {
            value = .integer(flag ? 1 : 0)
        }
        // The text `null` is a value for JSON attributes only.
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

    /// Returns whether a number that became a double or float is the same number when it is written
    /// as text again.
    ///
    /// A stored double is rounded already. As a float it may differ from that by a relative error
    /// of 2⁻²⁴, the rounding of a float; the smallest numbers exceed it.
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

    /// Returns why a stored value does not convert, or nil if it does.
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

    /// Returns whether the values of a type must be converted to another one.
    ///
    /// Some types store their values in the same form.
    static func isNeeded(from: AttributeType, to: AttributeType) -> Bool {
        switch (from, to) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
            (.float, .double), (.uuid, .string), (.uri, .string), (.decimal, .string):
            false
        default:
            from != to
        }
    }
}

/// The reason why a stored value does not convert to another type.
enum ConversionFailure: Error, CustomStringConvertible {
    /// The value is invalid for the attribute, and would be so in a JSON document.
    case coercion(CoercionFailure)
    /// The number would be rounded to another one.
    case losesDigits

    /// One sentence that describes the failure without the value.
    var description: String {
        switch self {
        case .coercion(let failure): failure.description
        case .losesDigits: "The value would lose digits."
        }
    }
}
