import Testing
import TidemarkInference
import TidemarkModel

/// Inferred types and names of attributes.
struct InferredTypeTests {
    @Test(arguments: [
        ("null", "string"),
        ("true, false, null", "boolean"),
        ("1, -5, 9223372036854775807, null", "integer64"),
        ("1, 9223372036854775808", "decimal"),
        ("1.0", "double"),
        ("1, 2.5, 1e3", "double"),
        ("0.1, 0.30000000000000004", "double"),
        ("9007199254740993, 0.5", "decimal"),
        ("0.1234567890123456789", "decimal"),
        ("1e400", "json"),
        ("12345678901234567890123456789012345678901234567890", "json"),
        (#""a", null"#, "string"),
        (#""172", "unknown""#, "string"),
        (#""172""#, "string"),
        (#""2014-12-09T13:50:51.644000Z", "2014-12-09""#, "date"),

        (#"{"__type": "Date", "iso": "2014-12-09T13:50:51.644Z"}"#, "date"),
        (#""2014-12-09", """#, "string"),
        (#""1418133051""#, "string"),
        (#""007""#, "string"),
        (#"12345, "00501""#, "string"),
        (#"true, "true""#, "string"),
        (#"1, "+5""#, "string"),
        (#"1, "1e3""#, "string"),
        (#"1.5, "1.50""#, "string"),
        (#"1, " 12""#, "string"),
        (#"1, "0x1f""#, "string"),
        (#""2014-13-09""#, "string"),
        (#""550e8400-e29b-41d4-a716-446655440000""#, "uuid"),
        (#""http://a.b/c?d", "HTTPS://e""#, "uri"),
        (#""http://a b""#, "string"),
        (#""mailto:a@b.c""#, "string"),
        (#"1, "a", true"#, "string"),
        (#""a\u0000b""#, "json"),
        ("[1, 2]", "json"),
        ("[]", "json"),
        ("[], null", "json"),
        ("{}", "json"),
        ("[{}, 1]", "json"),
        (#"{"a": 1}, 1"#, "json"),
        (#"{"2024-01-01": 1, "2024-01-02": 2}"#, "json"),
        (#"{"12": {"a": 1}}"#, "json"),
        (#"{"a@b.c": 1}"#, "json"),
    ])
    func `the type is the narrowest that holds every value`(values: String, type: String) throws {
        var depth = 0
        var parts = [""]
        for character in values {
            depth += "[{".contains(character) ? 1 : "]}".contains(character) ? -1 : 0
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        let items = parts.enumerated().map { #"{"id": \#($0), "value": \#($1)}"# }
        try expect(
            ["things.json": "[\(items.joined(separator: ","))]"],
            give: "Thing[id]: id integer64, value \(type)"
        )
    }

    @Test func `no attribute is required`() throws {
        let model = try infer(["things.json": #"[{"id": 1, "a": 1}]"#]).model
        let required = model.entities[0].attributes.filter { !$0.isOptional }
        #expect(required.isEmpty)
    }

    @Test(arguments: [
        ("first_name", "firstName"),
        ("userId", "userId"),
        ("user_id", "userID"),
        ("type", "type"),
        ("description", "description"),
        ("MGLT", "mglt ← MGLT"),
        ("first name", "firstName ← first name"),
        ("first-name", "firstName ← first-name"),
        ("@type", "type ← @type"),
        ("1st", "value1st ← 1st"),
        ("_rev", "rev ← _rev"),
        ("größe", "grE ← größe"),
        ("名前", "value ← 名前"),
        ("$", "value ← $"),
        ("sqlite_x", "sqliteX"),
        ("remoteID", "remoteIDValue ← remoteID"),
    ])
    func `JSON names become local names that map back`(json: String, local: String) throws {
        let parts = local.split(separator: " ", maxSplits: 1)
        let rest = parts.count > 1 ? " \(parts[1])" : ""
        try expect(
            ["things.json": #"[{"id": 1, "\#(json)": 1}]"#],
            give: "Thing[id]: id integer64, \(parts[0]) integer64\(rest)"
        )
    }

    @Test func `conflicting names get a number, and each maps back to its own key`() throws {
        try expect(
            [
                "things.json": """
                [{"id": 1, "_id": 2, "fooBar": 1, "foo_bar": "a", "FOO_BAR": true, "Foo": 1, \
                "foo": "b"}]
                """
            ],
            give: """
                Thing[id]: id integer64, idValue integer64 ← _id, fooBar integer64, \
                fooBar2 string ← foo_bar, fooBar3 boolean ← FOO_BAR, foo integer64 ← Foo, \
                foo2 string ← foo
                """
        )
    }

    @Test func `properties are in the order in which the objects have them`() throws {
        try expect(
            [
                "things.json": #"[{"id": 1, "z": 1, "a": 1}, {"id": 2, "z": 1, "m": 1, "a": 1}]"#
            ],
            give: "Thing[id]: id integer64, z integer64, m integer64, a integer64"
        )
    }

    @Test func `values of objects without a key belong to the enclosing object`() throws {
        try expect(
            [
                "users.json": """
                [{"id": 1, "address": {"city": "A", "geo": {"lat": 1.5, "tags": ["a"]}}},
                 {"id": 2, "address": null}]
                """
            ],
            give: """
                User[id]: id integer64, addressCity string ← address.city, \
                addressGeoLat double ← address.geo.lat, addressGeoTags json ← address.geo.tags
                """
        )
    }

    @Test func `notes URLs below a list, but not URLs of pages below the root`() throws {
        let inferred = try infer(
            [
                "things.json": """
                [{"id": 1, "owner": "https://a.example/users/1", "home": "https://a.example/one"}]
                """
            ]
        )
        #expect(
            inferred.notes.map(\.description) == [
                "Thing.owner: Its addresses are below /users: a sample of that list would make "
                    + "them links."
            ]
        )
    }
}
