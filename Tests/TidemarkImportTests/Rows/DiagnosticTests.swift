import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Diagnostics of imports: unknown and duplicate keys, shown values, and limits.
struct DiagnosticTests {
    private func report(
        _ json: String,
        showsValues: Bool = false,
        limit: Int = 1_000
    ) throws -> String {
        var limits = Limits()
        limits.diagnostics = limit
        var options = ImportOptions()
        options.showsValues = showsValues
        return try Store.of(.named("User", [Attribute("age", .integer16)])).report(
            "User",
            json,
            options,
            limits: limits
        ).text
    }

    @Test func `an unknown key is reported once with a count, and not inside an unknown object`()
        throws
    {
        try expect(
            report(
                """
                [{"id": 1, "x": 1, "größe": {"x": 2}}, {"id": 2, "x": null}, {"id": 3, "\\u0078": 1}]
                """
            ),
            is: """
                User +3
                User:1, x: The model has no attribute or relationship for this key. ×3
                User:1, größe: The model has no attribute or relationship for this key.
                """
        )
    }

    @Test func `a __type member is not reported as unknown, and similar names are`() throws {
        try expect(
            report(#"[{"id": 1, "__type": "users", "_type": 1, "__typo": 2, "__types": 3}]"#),
            is: """
                User +1
                User:1, _type: The model has no attribute or relationship for this key.
                User:1, __typo: The model has no attribute or relationship for this key.
                User:1, __types: The model has no attribute or relationship for this key.
                """
        )
    }

    @Test func `the closer of two spellings is used, and the duplicate is reported`() throws {
        try expect(
            report(
                #"[{"id": 1, "Age": 2, "age": 1}, {"id": 2, "age": 1, "Age": 2}, {"id": 3, "Age": 4}]"#
            ),
            is: """
                User +3
                User:1, age: The object has this value under two names. ×2
                """
        )
        let store = try Store.of(.named("User", [Attribute("firstName", .string)]))
        try store.load(
            "User",
            """
            [{"first-name": "c", "id": 1, "firstName": "a", "first_name": "b"},
             {"id": 2, "first-name": "c", "first_name": "b"}, {"id": 3, "First_Name": "d"}]
            """
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  firstName
                1  1   -     a
                2  2   -     b
                3  3   -     d
                """
        )
    }

    @Test func `shows an invalid value only on request, truncated`() throws {
        let long = String(repeating: "9", count: 100)
        let json = "[{\"id\": 1, \"age\": \(long)}]"
        try expect(
            report(json, showsValues: true),
            is: """
                User +1
                User:1, age: The value does not fit into 64 bits. `\(long.prefix(80))`
                """
        )
        try expect(report(json), is: "User +1\nUser:1, age: The value does not fit into 64 bits.")
    }

    @Test func `keeps diagnostics up to the limit and counts the rest`() throws {
        try expect(
            report(#"[{"id": 1, "a": 1, "b": 1, "age": "x"}, {"id": 2, "a": 1}]"#, limit: 2),
            is: """
                User +2
                User:1, a: The model has no attribute or relationship for this key. ×2
                User:1, b: The model has no attribute or relationship for this key.
                … and 1 more
                """
        )
    }

    @Test func `the limit applies to thousands of unknown keys`() throws {
        let members = (0..<3_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let report = try report("[{\"id\": 1, \(members)}, {\"id\": 2, \(members)}]", limit: 10)
        #expect(report.split(separator: "\n").count == 12)
    }
}
