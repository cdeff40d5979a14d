import Testing

@testable import TidemarkModel

/// Whether a value of the service is the one that was sent, as the service writes it.
struct ValueComparisonTests {
    private func isEqual(
        _ sent: Value,
        _ received: Value,
        _ type: AttributeType,
        _ form: String? = nil
    ) -> Bool {
        ValueComparison(type: type, form: form.flatMap(ValueForm.init(stored:)))
            .isEqual(sent: sent, received: received)
    }

    @Test(arguments: [
        (Value.decimal("13.50"), Value.decimal("13.5"), true),
        (.decimal("0"), .decimal("-0.0"), true),
        (.decimal("13.5"), .decimal("13.51"), false), (.decimal("x"), .decimal("y"), false),
    ])
    func `decimals are compared by value`(sent: Value, received: Value, expected: Bool) {
        #expect(isEqual(sent, received, .decimal) == expected)
    }

    @Test(arguments: [
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", 5.7, 5.0, true),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", 5.7, 6.0, true),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", 5.7, 4.0, false),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", 5.0, 6.0, false),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", -0.5, -1.0, true),
        ("date:yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 5.1234, 5.123, true),
        ("date:yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 5.1234, 5.0, false),
        ("date:yyyy-MM-dd'T'HH:mmXXX", 65, 60, true), ("date:seconds as number", 5.5, 5, true),
        ("date:milliseconds as number", 5.1235, 5.123, true),
        ("date:yyyy-MM-dd", 90_000, 86_400, true), ("date:yyyy-MM-dd", 90_000, 172_800, false),
        ("date:yyyy-MM-dd", 86_400, 172_800, false),
    ])
    func `a date is equal to the one that the form of the service leaves of it`(
        form: String,
        sent: Double,
        received: Double,
        expected: Bool
    ) {
        #expect(isEqual(.date(sent), .date(received), .date, form) == expected)
    }

    @Test func `without a known form, only equal dates are equal`() {
        #expect(!isEqual(.date(5.5), .date(5), .date))
        #expect(isEqual(.date(5.5), .date(5.5), .date))
        #expect(!isEqual(.date(1e15), .date(2e15), .date))
    }

    @Test func `values of other types are compared as they are stored`() {
        #expect(isEqual(.string("a"), .string("a"), .string))
        #expect(!isEqual(.string("a"), .string("a "), .string))
        #expect(!isEqual(.null, .integer(0), .integer64))
        #expect(!isEqual(.string("\u{E9}"), .string("e\u{301}"), .string))
        #expect(isEqual(.uuid("AB"), .uuid("ab"), .uuid))
        #expect(isEqual(.double(0.1), .double(Double(Float(0.1))), .float))
        #expect(!isEqual(.double(0.1), .double(Double(Float(0.1))), .double))
    }
}
