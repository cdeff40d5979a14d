import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Texts and numbers whose form or digits a numeric attribute does not keep.
struct NumberLossTests {
    private static let form =
        "The number does not keep the form of the text, such as leading zeros. The type string "
        + "keeps it."
    private static let digits =
        "A double does not keep all digits of the number. The types integer64 and decimal keep them."

    private func diagnostics(_ type: AttributeType, _ value: String) throws -> [String] {
        try Store.of(.named("Place", [Attribute("code", type)]))
            .report("Place", #"[{"id": 1, "code": \#(value)}]"#).diagnostics.map(\.description)
    }

    @Test(arguments: [
        (AttributeType.integer64, #""00501""#), (.integer64, #""007""#), (.integer64, #""-05""#),
        (.integer64, #""+5""#), (.integer64, #""1e3""#), (.integer64, #""1.0""#),
        (.integer64, #""00""#), (.integer16, #""01""#), (.integer32, #""\u00301""#),
        (.double, #""00501""#), (.double, #""1E5""#), (.float, #""+1""#), (.decimal, #""01.50""#),
    ])
    func `a text that is not the usual form of its number is stored and reported`(
        type: AttributeType,
        value: String
    ) throws {
        #expect(try diagnostics(type, value) == ["Place:1, code: \(Self.form)"])
    }

    @Test(arguments: [
        (AttributeType.integer64, #""501""#), (.integer64, #""-5""#), (.integer64, #""0""#),
        (.integer64, #""1,358""#), (.integer64, "1e3"), (.integer64, "501"), (.integer64, "null"),
        (.double, #""1.50""#), (.double, #""0.5""#), (.decimal, #""19.90""#), (.decimal, "1.50"),
        (.string, #""00501""#), (.json, #""00501""#), (.double, "9007199254740992"),
        (.double, "0.1234567890123456789"), (.double, "1e300"),
        (.integer64, "9223372036854775807"), (.decimal, "9223372036854775809"),
    ])
    func `usual forms and types that keep the text are not reported`(
        type: AttributeType,
        value: String
    ) throws {
        #expect(try diagnostics(type, value) == [])
    }

    @Test(arguments: ["9007199254740993", "9223372036854775809", #""9007199254740993""#])
    func `a whole number with more digits than a double is reported`(value: String) throws {
        #expect(try diagnostics(.double, value) == ["Place:1, code: \(Self.digits)"])
    }

    @Test(arguments: [#""0x1f""#, #"" 12""#, "9223372036854775808", "1.5"])
    func `what is not a whole number is an invalid value`(value: String) throws {
        #expect(try diagnostics(.integer64, value).count == 1)
    }

    @Test func `keys and references are reported as well`() throws {
        let model = Model(entities: [
            EntityDescription(
                "Place",
                attributes: [Attribute("id", .integer64)],
                relationships: [
                    Relationship("town", to: "Town"),
                    Relationship("towns", to: "Town", isToMany: true),
                ]
            ),
            EntityDescription("Town", attributes: [Attribute("id", .integer64)]),
        ])
        let store = try Store.validated(model: model)
        try store.load("Town", #"[{"id": 501}]"#)
        let report = try store.report(
            "Place",
            #"[{"id": "01", "town": "0501", "towns": ["501", "/towns/0501"]}]"#
        )
        #expect(
            report.diagnostics.map(\.description) == [
                "Place:01, id: \(Self.form)", "Place:01, town: \(Self.form)",
                "Place:01, towns: \(Self.form)",
            ]
        )
        #expect(report.unresolvedReferenceCount == 0)
    }

    @Test func `a null value and a transformed one are not reported`() throws {
        let attribute = Attribute("code", .integer64, nullValues: ["000"])
        let store = try Store.of(.named("Place", [attribute]))
        #expect(try store.report("Place", #"[{"id": 1, "code": "000"}]"#).diagnostics.isEmpty)
    }
}
