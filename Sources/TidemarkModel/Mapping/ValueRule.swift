import Foundation
import TidemarkJSON

/// The compiled validation of an attribute's values.
///
/// A rule is applied to values after their conversion. Null satisfies every rule: whether a value
/// is required is checked separately.
package struct ValueRule: Sendable {
    private let type: AttributeType
    private let minimum: Double?
    private let maximum: Double?

    /// The bounds of a decimal attribute, in canonical text; nil outside of the range of decimals.
    private let lowest: String?
    private let highest: String?

    private let pattern: TextPattern?

    /// The source of the regular expression, for messages.
    private let expression: String

    /// Creates the rule of an attribute, or nil if it has no validation.
    ///
    /// - Throws: ``ModelError`` if its regular expression is invalid.
    package init?(_ attribute: Attribute) throws(ModelError) {
        let validation = attribute.validation
        guard !validation.isEmpty else { return nil }
        type = attribute.type
        minimum = validation.minimum
        maximum = validation.maximum
        lowest = type == .decimal ? minimum.flatMap { DecimalNumber("\($0)")?.canonicalText } : nil
        highest = type == .decimal ? maximum.flatMap { DecimalNumber("\($0)")?.canonicalText } : nil
        guard let text = validation.pattern, attribute.type == .string else {
            pattern = nil
            expression = ""
            return
        }
        expression = text
        do {
            pattern = try TextPattern(text, syntax: .regularExpression, folding: [])
        } catch {
            throw ModelError(
                .invalid,
                "The regular expression of attribute \(attribute.name) cannot be used: \(error)"
            )
        }
    }

    /// Returns a sentence about the violation, or nil if the value satisfies the rule.
    package func violation(_ value: Value) -> String? {
        ValueArena.lasting { violation(value.stored(in: $0)) }
    }

    /// Returns a sentence about the violation, or nil if the value to be stored satisfies the rule.
    package func violation(_ value: StoredValue) -> String? {
        switch value {
        case .null, .blob: nil
        case .integer(let number): type == .boolean ? nil : violation(number)
        case .real(let number):
            bounds {
                number < $0
            } isAbove: {
                number > $0
            }
        case .text(let bytes): violation(bytes)
        }
    }

    private func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch type {
        case .decimal: return violation(decimal: String(decoding: bytes, as: UTF8.self))
        case .string: return violation(String(decoding: bytes, as: UTF8.self))
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .binary, .uuid,
            .uri, .transformable, .json:
            return nil
        }
    }

    private func violation(_ text: String) -> String? {
        let length = Double(text.count)
        if let minimum, length < minimum {
            return "A text must have at least \(Self.text(minimum)) characters."
        }
        if let maximum, length > maximum {
            return "A text must have at most \(Self.text(maximum)) characters."
        }
        guard let pattern else { return nil }
        do throws(PatternError) {
            return try pattern.matches(text)
                ? nil : "The text does not match the regular expression “\(expression)”."
        } catch {
            return
                "The text cannot be matched with the regular expression “\(expression)”: \(error)"
        }
    }

    /// Compares integers without a conversion to `Double`, which cannot represent all 64-bit
    /// integers.
    private func violation(_ number: Int64) -> String? {
        bounds {
            guard let bound = Int64(exactly: $0.rounded(.up)) else { return Double(number) < $0 }
            return number < bound
        } isAbove: {
            guard let bound = Int64(exactly: $0.rounded(.down)) else { return Double(number) > $0 }
            return number > bound
        }
    }

    private func violation(decimal text: String) -> String? {
        bounds { _ in
            lowest.map { DecimalOrder.compare(text, $0) == .orderedAscending } ?? false
        } isAbove: { _ in
            highest.map { DecimalOrder.compare(text, $0) == .orderedDescending } ?? false
        }
    }

    private func bounds(
        isBelow: (Double) -> Bool,
        isAbove: (Double) -> Bool
    ) -> String? {
        if let minimum, isBelow(minimum) {
            return type == .date
                ? "The date must not be before \(Self.date(minimum))."
                : "The value must be at least \(Self.text(minimum))."
        }
        if let maximum, isAbove(maximum) {
            return type == .date
                ? "The date must not be after \(Self.date(maximum))."
                : "The value must be at most \(Self.text(maximum))."
        }
        return nil
    }

    private static func text(_ bound: Double) -> String {
        Int64(exactly: bound).map(String.init) ?? "\(bound)"
    }

    private static func date(_ seconds: Double) -> String {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            return text(seconds)
        }
        return DateFormat.automatic.string(from: moment)
    }
}
