import Testing
import TidemarkInference
import TidemarkModel

/// Samples from which nothing can be inferred, and hostile ones.
struct RejectedSampleTests {
    @Test(arguments: [
        ("[]", "The lists are empty, so nothing can be inferred. Give samples that have objects."),
        (
            #"{"count": 0, "results": []}"#,
            "The lists are empty, so nothing can be inferred. Give samples that have objects."
        ),
        ("[1, 2]", "The list holds no objects, so nothing can be inferred."),
        ("[[{}]]", "The list holds no objects, so nothing can be inferred."),
        ("12", "Nothing can be inferred: expected an array or an object, found a number."),
        ("null", "Nothing can be inferred: expected an array or an object, found null."),
    ])
    func `rejects a sample without objects`(json: String, message: String) {
        #expect(errorMessage(["a.json": json]) == message)
    }

    @Test func `an empty list next to others is ignored`() throws {
        try expect(
            ["films.json": "[]", "users.json": #"[{"id": 1}]"#],
            give: "User[id]: id integer64"
        )
    }

    @Test func `rejects a dictionary of data as the whole sample`() {
        let members = (1...501).map { #""name\#($0)": 1"# }.joined(separator: ",")
        #expect(
            errorMessage(["prices.json": "{\(members)}"])
                == "The objects of Price have more than 500 different names: they are data, not "
                + "properties. Name a list inside, or keep the document as it is."
        )
    }

    @Test func `a nested dictionary is kept as JSON, however many names it has`() throws {
        var limits = InferenceLimits()
        limits.paths = 2_000
        let items = (0..<300).map { item in
            let members = (0..<20).map { #""k\#(item * 20 + $0)x": {"a": {"b": [1]}}"# }
            return #"{"id": \#(item), "prices": {\#(members.joined(separator: ","))}}"#
        }
        try expect(
            ["items.json": "[\(items.joined(separator: ","))]"],
            give: "Item[id]: id integer64, prices json",
            limits: limits
        )
    }

    @Test func `rejects more paths than the limit`() {
        var limits = InferenceLimits()
        limits.paths = 100
        let inner = (0..<11).map { #""b\#($0)": 1"# }.joined(separator: ",")
        let outer = (0..<10).map { #""a\#($0)": {\#(inner)}"# }.joined(separator: ",")
        #expect(
            errorMessage(["a.json": #"[{"id": 1, \#(outer)}]"#], limits: limits)
                == "The samples have more than 100 different positions. They are not records; name a "
                + "part of them."
        )
    }

    @Test func `objects beyond the limit of entities are kept as JSON`() throws {
        var limits = InferenceLimits()
        limits.entities = 2
        try expect(
            ["a.json": #"[{"id": 1, "b": {"id": 1}, "c": {"id": 2}}]"#],
            give: """
                A[id]: id integer64, c json; b → B ⇄ as
                B[id]: id integer64; as →→ A ⇄ b
                """,
            limits: limits
        )
    }

    @Test func `values nested too deeply are kept as JSON`() throws {
        let deep =
            String(repeating: #"{"a":"#, count: 90) + "1" + String(repeating: "}", count: 90)
        try expect(
            ["items.json": #"[{"id": 1, "b": \#(deep)}]"#],
            give: "Item[id]: id integer64, bAAAA json ← b.a.a.a.a"
        )
        let lists = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        try expect(
            ["items.json": #"[{"id": 1, "b": \#(lists)}]"#],
            give: "Item[id]: id integer64, b json"
        )
    }

    @Test func `names that no key path can contain are reported, or kept in JSON`() throws {
        let inferred = try infer([
            "items.json": #"[{"id": 1, "a.b": 1, "": 2, "c": {"d.e": 1}, "f": [{"": 1}]}]"#
        ])
        #expect(inferred.text == "Item[id]: id integer64, c json, f json")
        #expect(
            inferred.doubtfulNotes == [
                "Item: The JSON key “a.b” cannot be written as a key path.",
                "Item: The JSON key “” cannot be written as a key path.",
            ]
        )
    }
}
