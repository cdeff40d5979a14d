import Testing
import TidemarkJSON
import TidemarkModel

@testable import TidemarkRemote

/// Where an object is in a document, and which part of it is the object.
struct ObjectPositionTests {
    private func object(
        in text: String,
        at envelope: String = "none",
        item: [String] = []
    ) throws -> (plain: String?, original: String?) {
        var resource = RemoteResource(entity: "Note", path: "notes")
        resource.style.item = item
        let document = try JSONDocument(Array(text.utf8))
        let envelope = Envelope(option: envelope)
        func shown(_ node: JSONNode) -> String { String(decoding: node.source, as: UTF8.self) }
        let plain = try resource.withObject(in: document, at: envelope, limits: Limits()) {
            shown($0)
        }
        return (plain, resource.withOriginalObject(in: document, at: envelope) { shown($0) })
    }

    @Test(
        arguments: [
            (#"{"id":1}"#, "none", #"{"id":1}"#), (#"[{"id":1}]"#, "none", #"{"id":1}"#),
            (#"[{"id":1}]"#, "0", #"{"id":1}"#), (#"{"rows":[{"id":1}]}"#, "rows", #"{"id":1}"#),
            (#"{"rows":[{"id":1}]}"#, "rows.0", #"{"id":1}"#),
            (#"{"rows":[{"id":1},{"id":2}]}"#, "rows.1", #"{"id":2}"#),
            (#"{"@odata.value":{"id":1}}"#, #""@odata.value""#, #"{"id":1}"#),
            (#"[{"id":1},{"id":2}]"#, "none", nil), ("[]", "none", nil), ("[1]", "none", nil),
            ("[[{}]]", "none", nil), (#"{"rows":{}}"#, "rows.0", nil), ("null", "none", nil),
            (#"{"rows":[null]}"#, "rows.0", nil),
        ] as [(String, String, String?)]
    )
    func `a list of exactly one object is that object`(
        text: String,
        envelope: String,
        expected: String?
    ) throws {
        let found = try object(in: text, at: envelope)
        #expect(found.plain == expected)
        #expect(found.original == expected)
    }

    @Test(
        arguments: [
            (#"{"entry":[{"resource":{"id":1}}]}"#, "entry", #"{"id":1}"#),
            (#"{"entry":[{"a":{"id":1}}]}"#, "entry", #"{"a":{"id":1}}"#),
            (#"{"entry":[{"resource":null}]}"#, "entry", #"{"resource":null}"#),
            // One object is not an element of a list: it may have such a member of its own.
            (#"{"id":1,"resource":{"id":2}}"#, "none", #"{"id":1,"resource":{"id":2}}"#),
        ] as [(String, String, String)]
    )
    func `the object is within the element of a list`(
        text: String,
        envelope: String,
        expected: String
    ) throws {
        let found = try object(in: text, at: envelope, item: ["resource"])
        #expect(found.plain == expected)
        #expect(found.original == expected)
    }

    @Test func `the objects of a list are within its elements`() throws {
        var resource = RemoteResource(entity: "Note", path: "notes")
        resource.style.envelope = .keyPath(["rows"])
        resource.style.item = ["value", "doc"]
        let text = #"{"rows":[{"value":{"doc":{"id":1}}},{"id":2},{"value":{"doc":null}}]}"#
        let document = try JSONDocument(Array(text.utf8))
        var objects = try #require(try resource.items(of: document, limits: Limits()))
        var found: [String] = []
        while try objects.next({ found.append(String(decoding: $0.source, as: UTF8.self)) }) {}
        // An element without the object is passed on, to be reported.
        #expect(found == [#"{"id":1}"#, "null", "null"])
    }
}
