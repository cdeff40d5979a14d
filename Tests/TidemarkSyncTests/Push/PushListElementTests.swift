import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Lists of objects without a key are sent whole: each element keeps the members that the model
/// does not have.
struct PushListElementTests {
    private static let model = Model(entities: [
        EntityDescription(
            "User",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.many("phones", "Phone", inverse: "user", .cascade)]
        ),
        EntityDescription(
            "Phone",
            attributes: [Attribute("kind", .string), Attribute("number", .string)],
            relationships: [
                .one("user", "User", inverse: "phones"),
                .many("codes", "Code", inverse: "phone", .cascade),
            ]
        ),
        EntityDescription(
            "Code",
            attributes: [Attribute("text", .string)],
            relationships: [.one("phone", "Phone", inverse: "codes")]
        ),
    ])

    private static let home = #"{"kind":"home","number":"1","verified":true,"codes":[]}"#
    private static let work =
        #"{"kind":"work","number":"2","verified":false,"codes":[{"text":"7","label":"x"}]}"#

    private func mirror(
        _ phones: [String] = [home, work],
        _ push: PushStyle = .rest,
        _ policies: ConflictPolicies = ConflictPolicies(),
        _ rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let list = "[\(phones.joined(separator: ","))]"
        let user: FakeJSON = try ["id": 1, "name": "Ada", "phones": FakeJSON(parsing: list.utf8)]
        let service = PlainService(["users": [user]], rule)
        var mirror = try PlainMirror(Self.model, [("User", "users")], with: service, push)
        mirror.conflicts = policies
        try await mirror.pull()
        return mirror
    }

    private func phones(_ mirror: PlainMirror) -> String? {
        mirror.service["users", 1]?["phones"]?.description
    }

    // MARK: Edits

    @Test(arguments: [
        (
            "UPDATE Phone SET number = '9' WHERE _id = 1",
            """
            [{"kind":"home","verified":true,"codes":[],"number":"9"},\
            \(PushListElementTests.work)]
            """
        ),
        (
            "UPDATE Phone SET kind = NULL WHERE _id = 1",
            """
            [{"number":"1","verified":true,"codes":[],"kind":null},\
            \(PushListElementTests.work)]
            """
        ),
        (
            "UPDATE Phone SET number = '9' WHERE _id = 2",
            """
            [\(PushListElementTests.home),{"kind":"work","verified":false,\
            "codes":[{"text":"7","label":"x"}],"number":"9"}]
            """
        ),
        (
            "UPDATE Code SET text = '8'",
            """
            [\(PushListElementTests.home),{"kind":"work","number":"2","verified":false,\
            "codes":[{"label":"x","text":"8"}]}]
            """
        ),
        (
            "INSERT INTO Code (text, phone) VALUES ('8', 2)",
            """
            [\(PushListElementTests.home),{"kind":"work","number":"2","verified":false,\
            "codes":[{"text":"7","label":"x"},{"text":"8"}]}]
            """
        ),
        (
            "DELETE FROM Code",
            """
            [\(PushListElementTests.home),{"kind":"work","number":"2","verified":false,\
            "codes":[]}]
            """
        ),
    ])
    func `the element that was edited and the others keep their members`(
        sql: String,
        sent: String
    ) async throws {
        let mirror = try await mirror()
        try await mirror.edit(sql)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH users/1 {"phones":\#(sent)}"#])
        #expect(try mirror.changes() == [])
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
        #expect(try mirror.recordedConflicts() == [])
    }

    @Test func `a new element is sent by itself, and a removed one is left out`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("INSERT INTO Phone (kind, number, user) VALUES ('car', '3', 1)")
        _ = try await mirror.push()
        let car = #"{"kind":"car","number":"3","codes":[]}"#
        #expect(phones(mirror) == "[\(Self.home),\(Self.work),\(car)]")
        try await mirror.edit("DELETE FROM Phone WHERE _id = 1")
        _ = try await mirror.push()
        #expect(phones(mirror) == "[\(Self.work),\(car)]")
        try await mirror.edit("DELETE FROM Code; DELETE FROM Phone")
        _ = try await mirror.push()
        #expect(phones(mirror) == "[]")
        #expect(try mirror.changes() == [])
    }

    @Test func `an element that was edited keeps its members when the one before it is removed`()
        async throws
    {
        let mirror = try await mirror()
        try await mirror.edit(
            """
            DELETE FROM Phone WHERE _id = 1;
            UPDATE Phone SET number = '9' WHERE _id = 2
            """
        )
        _ = try await mirror.push()
        #expect(
            phones(mirror)
                == #"[{"kind":"work","verified":false,"codes":[{"text":"7","label":"x"}],"#
                + #""number":"9"}]"#
        )
    }

    @Test func `rows that an app has replaced by equal ones keep their members`() async throws {
        let third = #"{"kind":"car","number":"3","verified":true,"codes":[]}"#
        let mirror = try await mirror([Self.home, third])
        try await mirror.edit(
            """
            DELETE FROM Phone;
            INSERT INTO Phone (kind, number, user) VALUES ('car', '3', 1), ('new', '4', 1)
            """
        )
        _ = try await mirror.push()
        #expect(phones(mirror) == #"[\#(third),{"kind":"new","number":"4","codes":[]}]"#)
    }

    @Test func `values that were moved to the row before keep their members`() async throws {
        let third = #"{"kind":"car","number":"3","verified":true,"codes":[]}"#
        let mirror = try await mirror([Self.home, third])
        // As an import does that removes the first element of a list.
        try await mirror.edit(
            """
            UPDATE Phone SET kind = 'car', number = '3' WHERE _id = 1;
            DELETE FROM Phone WHERE _id = 2
            """
        )
        _ = try await mirror.push()
        #expect(phones(mirror) == "[\(third)]")
    }

    @Test func `of equal elements, each keeps its own members`() async throws {
        let mirror = try await mirror(
            [true, false].map { #"{"kind":"home","number":"1","verified":\#($0),"codes":[]}"# }
        )
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 2")
        _ = try await mirror.push()
        #expect(
            phones(mirror)
                == #"[{"kind":"home","number":"1","verified":true,"codes":[]},"#
                + #"{"kind":"home","verified":false,"codes":[],"number":"9"}]"#
        )
    }

    @Test func `an element without some members does not get them`() async throws {
        let mirror = try await mirror([#"{"kind":"home","at":1}"#, #"{"number":"2","at":2}"#])
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 2")
        _ = try await mirror.push()
        #expect(phones(mirror) == #"[{"kind":"home","at":1},{"at":2,"number":"9"}]"#)
    }

    @Test func `a value that the store cannot have stays in the other elements`() async throws {
        let mirror = try await mirror([#"{"kind":{"a":1},"number":"1"}"#, Self.work])
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 2")
        _ = try await mirror.push()
        #expect(phones(mirror)?.hasPrefix(#"[{"kind":{"a":1},"number":"1"},"#) == true)
    }

    @Test func `a long list keeps the members of all elements`() async throws {
        let mirror = try await mirror(
            (1...300).map { #"{"kind":"home","number":"\#($0 % 7)","verified":\#($0)}"# }
        )
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 150")
        _ = try await mirror.push()
        guard case .array(let phones) = mirror.service["users", 1]?["phones"] else {
            Issue.record("no list")
            return
        }
        #expect(
            phones.compactMap { $0["verified"] } == (1...300).map { FakeJSON.number("\($0)") }
        )
        #expect(phones[149]["number"] == .string("9"))
    }

    // MARK: Other clients

    @Test func `what another client has changed in an element meanwhile is kept`() async throws {
        let mirror = try await mirror()
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 2")
        mirror.service["users", 1]?["phones"] = [
            ["kind": "home", "number": "1", "verified": false, "codes": []],
            [
                "kind": "work", "number": "2", "verified": true, "at": 5,
                "codes": [["text": "7", "label": "y"]],
            ],
        ]
        _ = try await mirror.push()
        expect(
            phones(mirror) ?? "",
            is: """
                [{"kind":"home","number":"1","verified":false,"codes":[]},\
                {"kind":"work","verified":true,"at":5,"codes":[{"text":"7","label":"y"}],\
                "number":"9"}]
                """
        )
        #expect(try mirror.recordedConflicts() == [])
    }

    @Test func `a list that both sides have changed is decided before it is sent`() async throws {
        let mirror = try await mirror([Self.home, Self.work], .rest, .init(default: .localWins))
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 2")
        mirror.service["users", 1]?["phones"] = [
            ["kind": "home", "number": "5", "verified": true, "codes": []],
            ["kind": "work", "number": "2", "verified": false, "codes": [["text": "7"]]],
        ]
        _ = try await mirror.push()
        guard case .array(let phones) = mirror.service["users", 1]?["phones"] else {
            Issue.record("no list")
            return
        }
        #expect(phones.compactMap { $0["number"] } == ["1", "9"])
        #expect(phones.compactMap { $0["verified"] } == [true, false])
    }

    @Test func `a list that was edited since its conflict is in the record of the decision`()
        async throws
    {
        let mirror = try await mirror([Self.home], .rest, .init(default: .manual))
        try await mirror.edit("UPDATE Phone SET number = '9'")
        mirror.service["users", 1]?["phones"] = [["kind": "home", "number": "5", "codes": []]]
        _ = try await mirror.engine().sync()
        try await mirror.edit("UPDATE Phone SET number = '10'")
        let store = mirror.store
        try await store.write { writer in
            let conflicts = Conflicts(store)
            for conflict in try conflicts.list(writer.db, filter: .open) {
                let found = try conflicts.resolve(writer.db, conflict.id, taking: .remote)
                #expect(!found.isStale)
                #expect("\(found.conflict.properties.map(\.local))".contains("10"))
            }
        }
        #expect(try mirror.recordedConflicts().count == 1)
        #expect(try mirror.changes() == [])
    }

    @Test(
        arguments: [
            "INSERT INTO Code (text, phone) VALUES ('8', 2)", "UPDATE Code SET text = '8'",
            "DELETE FROM Code", "DELETE FROM Phone WHERE _id = 2",
            "INSERT INTO Phone (kind, user) VALUES ('car', 1); "
                + "INSERT INTO Code (text, phone) VALUES ('8', 3)",
            "DELETE FROM Code; INSERT INTO Code (text, phone) VALUES ('8', 1), ('9', 2)",
        ],
        [true, false]
    )
    func `nothing of a list that was decided is left to be sent`(
        sql: String,
        keepsLocal: Bool
    ) async throws {
        let policies = ConflictPolicies(default: keepsLocal ? .localWins : .remoteWins)
        let mirror = try await mirror([Self.home, Self.work], .rest, policies)
        try await mirror.edit(sql)
        mirror.service["users", 1]?["phones"] = [
            ["kind": "home", "number": "5", "codes": []],
            ["kind": "work", "number": "2", "codes": [["text": "6"], ["text": "7"]]],
        ]
        let theirs = phones(mirror)
        for _ in 1...2 { _ = try await mirror.engine().sync() }
        #expect(try mirror.recordedConflicts().count == 1)
        #expect(try mirror.changes() == [])
        #expect((phones(mirror) == theirs) == !keepsLocal)
        #expect(mirror.service.takeWrites().count == (keepsLocal ? 1 : 0))
        // The store has what the service has: an edit of the name sends no list.
        try await mirror.update("User:1", ["name": .string("Eve")])
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [#"PATCH users/1 {"name":"Eve"}"#])
    }

    // MARK: Options

    @Test(arguments: [PushStyle.PreflightCheck.none, .version(parameter: nil)])
    func `the object is read, whatever the check is`(
        check: PushStyle.PreflightCheck
    ) async throws {
        var push = PushStyle.rest
        push.check = check
        let mirror = try await mirror([Self.home, Self.work], push)
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 1")
        _ = try await mirror.push()
        #expect(mirror.service.reads == ["users/1"])
        #expect(phones(mirror)?.contains(#""verified":true"#) == true)
    }

    @Test func `a list is whole also where the service joins objects`() async throws {
        var push = PushStyle.rest
        push.body.nested = .leaf
        push.check = .none
        let mirror = try await mirror([Self.home, Self.work], push)
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 1")
        _ = try await mirror.push()
        let home = #"{"kind":"home","verified":true,"codes":[],"number":"9"}"#
        #expect(phones(mirror) == "[\(home),\(Self.work)]")
    }

    @Test func `a whole object has the lists with their members`() async throws {
        var push = PushStyle.rest
        push.update = PushStyle.Operation(.put, content: .whole)
        let mirror = try await mirror([Self.home, Self.work], push)
        try await mirror.edit("UPDATE Phone SET number = '9' WHERE _id = 1")
        _ = try await mirror.push()
        let home = #"{"kind":"home","verified":true,"codes":[],"number":"9"}"#
        #expect(
            mirror.service.takeWrites() == [
                #"PUT users/1 {"id":1,"name":"Ada","phones":[\#(home),\#(Self.work)]}"#
            ]
        )
    }

    @Test(arguments: [
        "UPDATE Phone SET number = '9' WHERE _id = 1", "UPDATE Code SET text = '8'",
        "INSERT INTO Phone (kind, user) VALUES ('car', 1)", "DELETE FROM Phone WHERE _id = 1",
    ])
    func `nothing replaces the list of an object that cannot be read`(sql: String) async throws {
        var push = PushStyle.rest
        push.check = .none
        let mirror = try await mirror([Self.home, Self.work], push, .init()) { request, _ in
            request.method == "GET" && request.steps.count > 1
                ? PlainService.Response(status: 405, body: ["detail": "no"]) : nil
        }
        try await mirror.edit(sql)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [])
        #expect(phones(mirror) == "[\(Self.home),\(Self.work)]")
        let changes = try mirror.changes()
        #expect(changes.count == 1)
        #expect(changes.first?.hasPrefix("User#1 update, pending") == true, "\(changes)")
        // A change of another member needs no look at the object.
        let other = try await self.mirror([Self.home], push)
        try await other.update("User:1", ["name": .string("Eve")])
        _ = try await other.push()
        #expect(other.service.reads == [])
    }
}
