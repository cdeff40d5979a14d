import Testing
import TidemarkTestSupport

@testable import TidemarkModel

/// Values that another program has stored, as values of an attribute's type.
struct StoredValueTypeTests {
    private func failure(_ text: String, as type: AttributeType) -> CoercionFailure? {
        failure(Array(text.utf8), as: type)
    }

    private func failure(_ bytes: [UInt8], as type: AttributeType) -> CoercionFailure? {
        bytes.withUnsafeBytes { StoredValue.text($0).failure(as: type) }
    }

    @Test(
        arguments: [
            ("1.5", AttributeType.decimal, nil), ("1e5", .decimal, nil), ("-0", .decimal, nil),
            ("+1", .decimal, nil), ("1,5", .decimal, .notANumber), ("1,500", .decimal, .notANumber),
            ("", .decimal, .notANumber), ("abc", .decimal, .notANumber),
            (" 1", .decimal, .notANumber),
            ("true", .decimal, .notANumber), ("1e999", .decimal, .outOfRange(.decimal)),
            ("1234567890123456789012345678901234567891", .decimal, .tooManyDigits),
            ("b7e0b3a1-6a0c-4b0e-9c7b-0b1a2c3d4e5f", .uuid, nil), ("b7e0", .uuid, .notAUUID),
            ("", .uuid, .notAUUID), ("https://example.org/a", .uri, nil), ("a b", .uri, .notAURI),
            ("{\"a\":1}", .json, nil), ("null", .json, nil), ("{bad", .json, .notJSON),
            ("", .json, .notJSON), ("", .string, nil), ("a\u{FFFD}", .string, nil),
            ("1", .integer64, .notANumber), ("1", .double, .notANumber),
            ("true", .boolean, .notABoolean),
            ("2026-01-01", .date, .notADate), ("anything", .transformable, nil),
        ] as [(String, AttributeType, CoercionFailure?)]
    )
    func `a text is of the type, or is not`(
        text: String,
        type: AttributeType,
        expected: CoercionFailure?
    ) {
        #expect(failure(text, as: type) == expected)
    }

    @Test(arguments: [AttributeType.string, .decimal, .json, .uuid, .uri])
    func `a text has to be UTF-8`(type: AttributeType) {
        #expect(failure([0x31, 0xFF], as: type) == .notUTF8)
    }

    @Test(
        arguments: [
            (AttributeType.integer16, Int64(70_000), nil), (.integer64, .max, nil),
            (.double, 1, nil),
            (.boolean, 0, nil), (.boolean, 1, nil), (.boolean, 5, .notABoolean),
            (.boolean, -1, .notABoolean), (.date, 1, .notADate), (.decimal, 1, .notANumber),
        ] as [(AttributeType, Int64, CoercionFailure?)]
    )
    func `an integer is of the type, or is not`(
        type: AttributeType,
        number: Int64,
        expected: CoercionFailure?
    ) {
        #expect(StoredValue.integer(number).failure(as: type) == expected)
    }

    @Test(
        arguments: [
            (AttributeType.double, 1.5, nil), (.double, .infinity, .outOfRange(.double)),
            (.date, 0, nil), (.date, 1e15, .outOfRange(.date)), (.date, -1e15, .outOfRange(.date)),
            (.integer64, 1.5, .notANumber), (.boolean, 1, .notABoolean),
        ] as [(AttributeType, Double, CoercionFailure?)]
    )
    func `a floating-point number is of the type, or is not`(
        type: AttributeType,
        number: Double,
        expected: CoercionFailure?
    ) {
        #expect(StoredValue.real(number).failure(as: type) == expected)
    }

    @Test(arguments: AttributeType.allCases)
    func `null is of every type`(type: AttributeType) {
        #expect(StoredValue.null.failure(as: type) == nil)
    }
}
