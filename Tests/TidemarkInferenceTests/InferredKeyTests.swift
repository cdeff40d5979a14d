import Testing
import TidemarkInference
import TidemarkModel

/// Inferred primary keys.
struct InferredKeyTests {
    @Test(arguments: [
        (#"{"a": 1}, {"a": 1}"#, ""),
        (#"{"id": true}, {"id": false}"#, ""),
        (#"{"id": {"a": 1}}, {"id": {"a": 2}}"#, ""),
        (#"{"id": null}, {"a": 1}"#, ""),
        (#"{"slug": "a"}, {"slug": "a"}"#, ""),
        (#"{"slug": "a"}, {"a": 1}"#, ""),
        (#"{"url": "http://a/1"}, {"url": "http://a/1"}"#, ""),
        (#"{"id": "a\u0000"}, {"id": "b"}"#, ""),
        (#"{"other_id": 1}, {"other_id": 2}"#, ""),
        (#"{"id": 1, "uuid": "x"}"#, "id integer64"),
        (#"{"id": 1}, {"id": "a"}"#, "id string"),
        (#"{"id": "550e8400-e29b-41d4-a716-446655440000"}"#, "id uuid"),
        (#"{"_id": "4yC"}"#, "id string ← _id"),
        (#"{"objectId": "4yC", "id": null}"#, "id string ← objectId"),
        (#"{"uuid": "a", "slug": "b"}"#, "uuid string"),
        (#"{"thing_id": 1, "user_id": 2}"#, "thingID integer64"),
        (#"{"ThingId": 1}"#, "thingId integer64 ← ThingId"),
        (
            #"{"url": "https://a.b/api/things/1/"}, {"url": "https://a.b/api/things/12/"}"#,
            "id integer64 ← url"
        ),
        (#"{"url": "/api/things/1"}"#, "id integer64 ← url"),
        (#"{"url": "https://a.b/c/x"}, {"url": "https://a.b/c/y"}"#, "url uri"),
        (#"{"url": "https://a.b/c/1"}, {"url": "https://a.b/d/2"}"#, "url uri"),
        (#"{"code": "a", "name": "x"}, {"code": "b", "name": "x"}"#, "code string"),
        (#"{"name": "x", "size": 1}, {"name": "y", "size": 1}"#, "name string"),
        (#"{"ident": "1", "start": "a"}, {"ident": "2", "start": "b"}"#, "ident string"),
    ])
    func `the key is the member that distinguishes the objects`(items: String, key: String) throws {
        let inferred = try infer(["things.json": "[\(items)]"])
        let entity = inferred.model.entities[0]
        let names = inferred.model.primaryKey(of: entity)
        let attribute = entity.attributes.first { [$0.name] == names }
        let text = attribute.map { attribute in
            "\(attribute.name) \(attribute.type.rawValue)"
                + (attribute.json.remoteKey.map { " ← \($0)" } ?? "")
        }
        #expect((text ?? "") == key)
    }

    @Test func `reports a list whose objects have no distinguishing member`() throws {
        let inferred = try infer(["things.json": #"[{"size": 1}, {"size": 1}]"#])
        #expect(
            inferred.doubtfulNotes == [
                "Thing: No member identifies its objects: they can be imported only as the "
                    + "children of other rows."
            ]
        )
    }

    @Test func `reports objects that lack the key`() throws {
        let inferred = try infer(["things.json": #"[{"id": 1}, {"id": 2}, {"a": 1}]"#])
        #expect(inferred.text == "Thing[id]: id integer64, a integer64")
        #expect(
            inferred.doubtfulNotes == ["Thing: Some objects lack “id”, and cannot be imported."]
        )
    }

    @Test func `reports items that are not objects`() throws {
        #expect(
            try infer(["things.json": #"[{"id": 1}, 2]"#]).doubtfulNotes
                == ["Thing: Some items of its list are not objects, and cannot be imported."]
        )
    }

    @Test func `reports a key that is a guess`() throws {
        #expect(
            try infer(["things.json": #"[{"name": "a"}, {"name": "b"}]"#]).doubtfulNotes
                == ["Thing: “name” is the key, since it was different in all objects."]
        )
    }

    @Test func `the key of a long list must be unique in the whole list`() throws {
        let items = (0..<5_000).map { #"{"slug": "s\#($0)", "size": \#($0)}"# }
        let inferred = try infer(["things.json": "[\(items.joined(separator: ","))]"])
        #expect(inferred.text == "Thing[slug]: slug string, size integer64")
        let again = items + items
        let repeated = try infer(["things.json": "[\(again.joined(separator: ","))]"])
        #expect(repeated.text == "Thing[]: slug string, size integer64")
    }
}
