import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Conversions of numbers to types that cannot represent all digits.
struct ExactConversionTests {
    private func user(_ x: String) -> String {
        "User: {attributes: {id: integer64, x: \(x)}}"
    }

    @Test(arguments: [
        ("integer64", "double", Value.integer(9_007_199_254_740_993)),
        ("integer64", "double", .integer(.max)),
        ("integer64", "double", .integer(1 << 62)),
        ("integer64", "float", .integer(123_456_789)),
        ("integer32", "float", .integer(-16_777_217)),
        ("decimal", "double", .decimal("0.12345678901234567890123")),
        ("decimal", "float", .decimal("0.123456789")),
        ("string", "double", .string("9007199254740993")),
        ("string", "double", .string("1e-400")),
        ("string", "float", .string("16,777,217")),
        ("json", "double", .json("9007199254740993")),
        ("json", "float", .json("\"0.123456789\"")),
        ("double", "float", .double(1e-60)),
        ("double", "float", .double(1.23456789e-40)),
    ])
    func `rejects a number that would not read back unchanged`(
        from: String,
        to: String,
        value: Value
    ) throws {
        let store = try store(user(from)) { store in
            try store.insert("User", ["x": .null])
            try store.insert("User", ["x": value])
            try store.insert("User", ["x": value])
        }
        try expect(
            store.rejections(of: user(to)),
            is: """
                User.x: 2 values do not convert from \(from) to \(to), the first in User#2: \
                The value would lose digits. \
                Change or clear them first, or give the attribute another name.
                """
        )
    }

    @Test(arguments: [
        ("integer64", "double", Value.integer(9_007_199_254_740_992), "9007199254740992.0"),
        ("integer64", "float", .integer(16_777_216), "16777216.0"),
        ("boolean", "float", .boolean(true), "1.0"),
        ("decimal", "double", .decimal("0.1"), "0.1"),
        ("decimal", "float", .decimal("0.1"), "0.10000000149011612"),
        ("decimal", "float", .decimal("-12.5"), "-12.5"),
        ("string", "double", .string("0010"), "10.0"),
        ("string", "double", .string("-0"), "0.0"),
        ("string", "double", .string("1,358.50"), "1358.5"),
        ("string", "double", .string("1.50e-200"), "1.5e-200"),
        ("string", "integer64", .string("007"), "7"),
        ("json", "double", .json("0.10"), "0.1"),
        ("double", "float", .double(0.1), "0.10000000149011612"),
        ("double", "float", .double(0.123456789), "0.12345679104328156"),
        ("double", "float", .double(0), "0.0"),
        ("double", "decimal", .double(0.1), "0.1"),
    ])
    func `converts a number that reads back unchanged, whatever its notation`(
        from: String,
        to: String,
        value: Value,
        expected: String
    ) throws {
        let store = try store(user(from)) { try $0.insert("User", ["x": value]) }
        let (migrated, steps) = try store.migrating(to: user(to))
        expect(steps, is: "change User.x from \(from) to \(to) (1 value is converted)")
        let cell = try table(of: migrated).split(separator: "\n")[2]
            .split(separator: " ", omittingEmptySubsequences: true).last
        #expect(cell.map(String.init) == expected)
    }
}
