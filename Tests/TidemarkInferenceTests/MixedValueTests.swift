import Testing
import TidemarkInference

/// Members that contain objects in some samples and scalars in others.
struct MixedValueTests {
    @Test(arguments: [
        [#""no""#, #"[{"id": "a", "n": "x"}, {"id": "b", "n": "y"}]"#],
        [#""no""#, #"{"id": "a", "n": "x"}"#],
        [#""""#, #"{"id": "a", "n": "x"}"#],
        ["5", #"[{"id": 1, "n": "x"}]"#],
        ["7", #"{"id": 1, "n": "x"}"#],
        [#"[{"id": "a", "n": "x"}, "no"]"#],
        [#"["no", "a"]"#, #"[{"id": "a", "n": "x"}]"#],
        [#""a""#, #""no""#, #"{"id": "a", "n": "x"}"#],
        ["1.5", #"{"id": 1, "n": "x"}"#],
        ["false", #"{"id": 1, "n": "x"}"#],
        [#""0001""#, #"{"id": 1, "n": "x"}"#],
    ])
    func `a scalar that is not the key of an object makes the member JSON`(
        values: [String]
    ) throws {
        for order in [values, values.reversed()] {
            let items = order.enumerated().map { #"{"id": \#($0 + 1), "value": \#($1)}"# }
            let inferred = try infer(["things.json": "[\(items.joined(separator: ","))]"])
            #expect(inferred.text == "Thing[id]: id integer64, value json")
        }
    }

    @Test func `scalars that are keys of the objects are references`() throws {
        try expect(
            [
                "charges.json": """
                [{"id": 1, "customer": "c2"}, {"id": 2, "customer": {"id": "c2"}},
                 {"id": 3, "customer": null}]
                """
            ],
            give: """
                Charge[id]: id integer64; customer → Customer ⇄ charges
                Customer[id]: id string; charges →→ Charge ⇄ customer
                """
        )
    }

    @Test func `scalars may be keys of objects at another path or in a list of their own`() throws {
        let charges = """
            [{"id": 1, "customer": "c1", "payer": {"id": "c1", "name": "Ann"}},
             {"id": 2, "customer": {"id": "c2", "name": "Bo"}, "payer": null}]
            """
        let customers = #"[{"id": "c1", "name": "Ann"}, {"id": "c2", "name": "Bo"}]"#
        try expect(
            ["charges.json": charges, "customers.json": customers],
            give: """
                Charge[id]: id integer64; customer → Customer ⇄ customerCharges, \
                payer → Customer ⇄ payerCharges
                Customer[id]: id string, name string; customerCharges →→ Charge ⇄ customer, \
                payerCharges →→ Charge ⇄ payer
                """
        )
    }

    @Test func `a note explains why the member is JSON`() throws {
        let inferred = try infer([
            "things.json": #"[{"id": 1, "value": "no"}, {"id": 2, "value": [{"id": "a"}]}]"#
        ])
        #expect(
            inferred.notes.map(\.description) == [
                "Thing.value: Not all of its values are objects or their keys; kept as JSON."
            ]
        )
    }

    @Test func `one scalar among many references is found at any position`() throws {
        var items = (1...200).map { #"{"id": \#($0), "owner": "o\#($0)"}"# }
        items += (1...200).map { #"{"id": \#($0 + 200), "owner": {"id": "o\#($0)", "n": 1}}"# }
        let whole = try infer(["things.json": "[\(items.joined(separator: ","))]"]).text
        #expect(whole.contains("owner → Owner"), "\(whole)")
        for position in [0, 150, 400] {
            var items = items
            items.insert(#"{"id": 999, "owner": "none"}"#, at: position)
            let text = try infer(["things.json": "[\(items.joined(separator: ","))]"]).text
            #expect(text == "Thing[id]: id integer64, owner json")
        }
    }
}
