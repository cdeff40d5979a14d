/// The reason why a value cannot be converted to an attribute's type.
package enum CoercionFailure: Error, Hashable, Sendable {
    /// It is not a number.
    case notANumber
    /// It has a fraction, and the attribute stores integers.
    case notAWholeNumber
    /// It is too large or too small for the type.
    case outOfRange(AttributeType)
    /// It has more than 38 significant digits, the maximum of a decimal.
    case tooManyDigits
    /// It is neither true nor false.
    case notABoolean
    /// It has no text representation, such as an object or an array.
    case notAText
    /// It is not a date in the expected format.
    case notADate
    /// It is not a UUID.
    case notAUUID
    /// It is not a URI.
    case notAURI
    /// It is not valid base64.
    case notBase64
    /// It is not valid JSON text.
    case notJSON
    /// It is a stored text that is not valid UTF-8.
    case notUTF8
    /// It contains U+0000, at which text ends in SQLite.
    case containsNull
    /// It can only be converted by the attribute's transformer.
    case notTransformed
    /// It was rejected by the attribute's transformer, with the error's description.
    case rejected(String)
    /// It is tagged as another type than that of the attribute, such as `$uuid` for a date.
    case otherType(AttributeType)

    /// Returns a sentence about the failure, with the invalid value if one is given.
    ///
    /// Omit a value that must not be disclosed.
    package func sentence(_ value: String? = nil) -> String {
        let sentence = "\(value.map { "`\($0)`" } ?? "The value") \(predicate)"
        return sentence.hasSuffix(".") ? sentence : sentence + "."
    }

    /// The sentence without its subject and the full stop.
    package var predicate: String {
        switch self {
        case .notANumber: "is not a number"
        case .notAWholeNumber: "is not a whole number"
        case .outOfRange(let type): Self.range(type)
        case .tooManyDigits: "has more than 38 digits"
        case .notABoolean: "is neither true nor false"
        case .notAText: "is not a text"
        case .notADate: "is not a date in a known form"
        case .notAUUID: "is not a UUID"
        case .notAURI: "is not a URI"
        case .notBase64: "is not base64"
        case .notJSON: "is not JSON"
        case .notUTF8: "is not valid UTF-8, and JSON has no other text"
        case .containsNull: "contains the character U+0000, which no text in a store can hold"
        case .notTransformed: "cannot be stored without the attribute's transformer"
        case .rejected(let reason): "was rejected by its transformer: \(reason)"
        case .otherType(let type): "is not tagged as a value of type \(type.rawValue)"
        }
    }

    private static func range(_ type: AttributeType) -> String {
        switch type {
        case .integer16: "does not fit into 16 bits"
        case .integer32: "does not fit into 32 bits"
        case .integer64: "does not fit into 64 bits"
        case .date: "is not a date between the years 0 and 9999"
        case .decimal, .double, .float, .string, .boolean, .binary, .uuid, .uri, .transformable,
            .json:
            "is out of the range of type \(type.rawValue)"
        }
    }
}

extension CoercionFailure: CustomStringConvertible {
    /// A sentence about the failure, without the value.
    package var description: String { sentence() }
}
