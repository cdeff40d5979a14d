import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A member that is an object is replaced whole, as the service has it.
struct PushNestingTests {
    private static func model(_ more: [Attribute] = []) -> Model {
        Model(entities: [
            EntityDescription(
                "Tag",
                attributes: [
                    Attribute("id", .integer64), Attribute("name", .string),
                    Attribute("city", .string, remoteKey: "address.city"),
                    Attribute("street", .string, remoteKey: "address.street"),
                ] + more
            )
        ])
    }

    private static let object: FakeJSON = [
        "id": 1, "name": "one",
        "address": ["city": "London", "street": "Strand", "zip": ["code": "WC2"]],
    ]

    private func mirror(
        _ object: FakeJSON = object,
        _ model: Model = model(),
        _ push: PushStyle = .rest,
        _ rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let mirror = try PlainMirror(
            model,
            [("Tag", "tags")],
            with: PlainService(["tags": [object]], rule),
            push
        )
        try await mirror.pull()
        return mirror
    }

    @Test func `the other members of the object stay as they are`() async throws {
        let mirror = try await mirror()
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                """
                PATCH tags/1 {"address":{"street":"Strand","zip":{"code":"WC2"},"city":"Paris"}}
                """
            ]
        )
        #expect(mirror.service["tags", 1]?["address"]?["zip"] == ["code": "WC2"])
        #expect(try mirror.changes() == [])
    }

    @Test func `what another client has changed in the object meanwhile is kept`() async throws {
        let mirror = try await mirror()
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        mirror.service["tags", 1]?["address"] = [
            "city": "London", "street": "Rue", "zip": nil, "floor": 3,
        ]
        _ = try await mirror.push()
        #expect(
            mirror.service["tags", 1]?["address"] == [
                "street": "Rue", "zip": nil, "floor": 3, "city": "Paris",
            ]
        )
        let street = try await mirror.store.read { try $0.record(RecordLocator("Tag:1"))["street"] }
        #expect(street == .string("Rue"))
    }

    @Test func `the object is read even without a check, and its version is a condition`()
        async throws
    {
        var push = PushStyle.rest
        push.check = .none
        let mirror = try await mirror(Self.object, Self.model(), push) { request, lists in
            guard request.steps == ["tags", "1"] else { return nil }
            if request.method == "GET" {
                return PlainService.Response(body: lists["tags"]?[0], fields: [.eTag: "\"5\""])
            }
            let isCurrent = request.fields[.ifMatch] == "\"5\""
            return isCurrent
                ? nil : PlainService.Response(status: 400, body: ["detail": "If-Match"])
        }
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(try mirror.changes() == [])
        #expect(mirror.service["tags", 1]?["address"]?["zip"] == ["code": "WC2"])
        // A change of another member needs no look at the object.
        _ = mirror.service.takeWrites()
        try await mirror.update("Tag:1", ["name": .string("two")])
        _ = try await mirror.push()
        #expect(mirror.service.reads == [])
    }

    @Test func `nothing is read if the model maps every member of the object`() async throws {
        var push = PushStyle.rest
        push.check = .none
        let object: FakeJSON = ["id": 1, "address": ["city": "London", "street": "Strand"]]
        let mirror = try await mirror(object, Self.model(), push)
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(mirror.service.reads == [])
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH tags/1 {"address":{"city":"Paris","street":"Strand"}}"#
            ]
        )
    }

    @Test func `an object with a member that the app does not export is not replaced unread`()
        async throws
    {
        var push = PushStyle.rest
        push.check = .none
        let secret = Attribute("floor", .integer64, remoteKey: "address.floor", isExportable: false)
        let object: FakeJSON = ["id": 1, "address": ["city": "A", "street": "B", "floor": 3]]
        let mirror = try await mirror(object, Self.model([secret]), push)
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH tags/1 {"address":{"street":"B","floor":3,"city":"Paris"}}"#
            ]
        )
    }

    @Test func `a service that joins objects gets the changed values alone`() async throws {
        var push = PushStyle.rest
        push.body.nested = .leaf
        let mirror = try await mirror(Self.object, Self.model(), push)
        try await mirror.update("Tag:1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tags/1 {"address":{"city":"Paris"}}"#])
    }

    @Test func `a merge patch contains the changed values alone, and says so`() async throws {
        var push = PushStyle.rest
        push.update?.mediaType = "application/merge-patch+json"
        let mirror = try await mirror(Self.object, Self.model(), push) { request, _ in
            let type = request.fields[.contentType]
            guard request.method == "PATCH", type != "application/merge-patch+json" else {
                return nil
            }
            return PlainService.Response(status: 415)
        }
        try await mirror.update("Tag:1", ["city": .null])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tags/1 {"address":{"city":null}}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a creation contains the values that the model maps`() async throws {
        let mirror = try await mirror()
        try await mirror.store.write { writer in
            _ = try writer.insert("Tag", values: ["city": .string("Rome")])
        }
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"POST tags {"address":{"city":"Rome"}}"#])
    }

    @Test(arguments: [FakeJSON.null, "none", 7])
    func `a member that has another value becomes an object`(address: FakeJSON) async throws {
        let mirror = try await mirror(["id": 1, "name": "one", "address": address])
        try await mirror.update("Tag:1", ["city": .string("Rome")])
        _ = try await mirror.push()
        let body = mirror.service.takeWrites()
        #expect(body.count == 1 && body[0].contains(#""address":{"city":"Rome""#), "\(body)")
    }

    @Test(arguments: [
        (PushStyle.Nulls.explicit, #"{"street":"Strand","zip":{"code":"WC2"},"city":null}"#),
        (.omit, #"{"street":"Strand","zip":{"code":"WC2"}}"#),
    ])
    func `a value that was cleared is missing in the whole object`(
        nulls: PushStyle.Nulls,
        address: String
    ) async throws {
        var push = PushStyle.rest
        push.body.nulls = nulls
        let mirror = try await mirror(Self.object, Self.model(), push)
        try await mirror.update("Tag:1", ["city": .null])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tags/1 {"address":\#(address)}"#])
    }

    @Test(arguments: [PushStyle.NestedMembers.replace, .leaf])
    func `the elements of a list are sent with the others`(
        nested: PushStyle.NestedMembers
    ) async throws {
        let model = Model(entities: [
            EntityDescription(
                "Tag",
                attributes: [
                    Attribute("id", .integer64),
                    Attribute("phone", .string, remoteKey: "telecom.0.value"),
                    Attribute("other", .string, remoteKey: "telecom.1.value"),
                ]
            )
        ])
        var push = PushStyle.rest
        push.body.nested = nested
        let telecom: FakeJSON = [["system": "phone", "value": "1"], "x"]
        let mirror = try await mirror(["id": 1, "telecom": telecom], model, push)
        try await mirror.update("Tag:1", ["phone": .string("2")])
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH tags/1 {"telecom":[{"system":"phone","value":"2"},"x"]}"#
            ]
        )
        try await mirror.store.write { writer in
            _ = try writer.insert("Tag", values: ["phone": .string("3"), "other": .string("4")])
        }
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [#"POST tags {"telecom":[{"value":"3"},{"value":"4"}]}"#]
        )
    }

    @Test func `an object without a key keeps the members that the model does not have`()
        async throws
    {
        let model = Model(entities: [
            EntityDescription(
                "Tag",
                attributes: [Attribute("id", .integer64)],
                relationships: [.one("address", "Address")]
            ),
            EntityDescription("Address", attributes: [Attribute("city", .string)]),
        ])
        let mirror = try await mirror(Self.object, model)
        try await mirror.update("Address#1", ["city": .string("Paris")])
        _ = try await mirror.push()
        #expect(
            mirror.service["tags", 1]?["address"] == [
                "street": "Strand", "zip": ["code": "WC2"], "city": "Paris",
            ]
        )
    }
}
