import Foundation
import TidemarkJSON

/// Parses default values, which a model contains as text.
package enum DefaultValue {
    /// Returns the value that a text represents, or nil if the text is not valid for the type.
    package static func value(of text: String, as type: AttributeType) -> Value? {
        switch type {
        case .integer16: Int16(text).map { .integer(Int64($0)) }
        case .integer32: Int32(text).map { .integer(Int64($0)) }
        case .integer64: Int64(text).map { .integer($0) }
        case .decimal: decimal(text).map { .decimal($0) }
        case .double: number(text).map { .double($0) }
        // A finite `Double` can be infinite as a `Float`.
        case .float: number(text).map { .double(Double(Float($0))) }.flatMap(finite)
        case .string: .string(text)
        case .boolean: boolean(text).map { .boolean($0) }
        case .date: (DefaultDate.seconds(text) ?? number(text)).map { .date($0) }
        case .binary: Data(base64Encoded: text).map { .binary(Array($0)) }
        case .uuid: UUID(uuidString: text).map { .uuid($0.uuidString) }
        case .uri: text.isEmpty || text.contains("\0") ? nil : .uri(text)
        case .transformable: nil
        case .json: isJSON(text) ? .json(text) : nil
        }
    }

    /// Returns a hint that explains how a default value of the type is written.
    package static func hint(for type: AttributeType) -> String {
        switch type {
        case .integer16: "Write a whole number from -32768 to 32767."
        case .integer32: "Write a whole number from -2147483648 to 2147483647."
        case .integer64: "Write a whole number of 64 bits."
        case .decimal: "Write a number of at most 38 digits."
        case .double, .float: "Write a number."
        case .string: "Write a text."
        case .boolean: "Write true or false."
        case .date: "Write a date such as 2016-05-17T10:20:30Z."
        case .binary: "Write the bytes as base64."
        case .uuid: "Write 32 hexadecimal digits with hyphens, as UUIDs are written."
        case .uri: "Write an address."
        case .transformable: "A transformable attribute cannot have one."
        case .json: "Write the JSON text in quotation marks, such as '[]'."
        }
    }

    private static func number(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func finite(_ value: Value) -> Value? {
        if case .double(let number) = value, !number.isFinite { return nil }
        return value
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Returns the canonical form of a decimal number, without redundant zeros: `12.20` is `12.2`,
    /// `1e3` is `1000`.
    ///
    /// Returns nil if the text is not a number of at most 38 digits.
    static func decimal(_ text: String) -> String? {
        DecimalNumber(text).flatMap { $0.isGrouped ? nil : $0.canonicalText }
    }

    private static func isJSON(_ text: String) -> Bool {
        do {
            _ = try JSONDocument(Array(text.utf8))
            return true
        } catch {
            return false
        }
    }
}

/// A string, number or Boolean, as its text.
struct ScalarText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let readings: [(any SingleValueDecodingContainer) throws -> String] = [
            { try $0.decode(String.self) },
            { try $0.decode(Bool.self) ? "true" : "false" },
            { try String($0.decode(Int64.self)) },
            { container in
                // `Decimal` has more digits than `Double`, but a smaller range of exponents.
                let decimal = try container.decode(Decimal.self)
                let double = try container.decode(Double.self)
                return double == Double("\(decimal)") ? "\(decimal)" : "\(double)"
            },
            { try "\($0.decode(Double.self))" },
        ]
        for reading in readings {
            do {
                text = try reading(container)
                return
            } catch {
                // The value has another type; try the next one.
                continue
            }
        }
        throw ModelError(
            .invalid,
            "\(FieldReader.path(of: decoder.codingPath)) is not a single value.",
            hint: "Write a text, a number, true or false."
        )
    }
}

/// A value in the textual form of a model.
struct ScalarValue: Encodable {
    var value: Value

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            try container.encode(text)
        case .binary(let bytes): try container.encode(Data(bytes).base64EncodedString())
        case .date(let seconds):
            if let text = DefaultDate.text(seconds) {
                try container.encode(text)
            } else {
                try container.encode(seconds)
            }
        }
    }
}
