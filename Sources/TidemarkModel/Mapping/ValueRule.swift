/// What the values of an attribute must satisfy, made ready from its validation.
///
/// A rule judges values as they are stored, after their conversion. A null breaks none: whether
/// there must be a value is another question.
package struct ValueRule: Sendable {
    private let type: AttributeType
    private let minimum: Double?
    private let maximum: Double?
    private let pattern: TextPattern?

    /// Makes the rule of an attribute; nil when its validation binds nothing.
    ///
    /// - Throws: ``ModelError`` when its regular expression is none.
    package init?(_ attribute: Attribute) throws(ModelError) {
        let validation = attribute.validation
        guard !validation.isEmpty else { return nil }
        type = attribute.type
        minimum = validation.minimum
        maximum = validation.maximum
        guard let text = validation.pattern, attribute.type == .string else {
            pattern = nil
            return
        }
        do {
            pattern = try TextPattern(text, .regularExpression, [])
        } catch {
            throw ModelError(
                .invalid,
                "The regular expression of attribute \(attribute.name) cannot be used: \(error)"
            )
        }
    }

    /// What is wrong with a value, in a sentence; nil when it breaks no rule.
    package func violation(_ value: StoredValue) -> String? {
        switch value {
        case .null, .blob: nil
        case .integer(let number): type == .boolean ? nil : bounds(Double(number))
        case .real(let number): bounds(number)
        case .text(let bytes): violation(bytes)
        }
    }

    private func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch type {
        case .decimal: return Double(String(decoding: bytes, as: UTF8.self)).flatMap(bounds)
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
            return try pattern.matches(text) ? nil : "The text must match the regular expression."
        } catch {
            return "The text cannot be matched with the regular expression: \(error)"
        }
    }

    private func bounds(_ number: Double) -> String? {
        if let minimum, number < minimum {
            return type == .date
                ? "The date must not be before \(Self.date(minimum))."
                : "The value must be at least \(Self.text(minimum))."
        }
        if let maximum, number > maximum {
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
