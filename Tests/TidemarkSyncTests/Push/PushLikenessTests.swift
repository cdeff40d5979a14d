import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Objects of creations whose responses were lost are recognized by the values that were sent.
struct PushLikenessTests {
    // MARK: Values

    @Test(arguments: [
        ("count", Value.integer(1), "1.0", LostCreation.Outcome.found),
        ("count", .integer(1), "1e0", .found), ("count", .integer(1), "\"1\"", .found),
        ("count", .integer(1), "2", .waits), ("ratio", .double(1), "1", .found),
        ("ratio", .double(1), "\"1.00\"", .found), ("ratio", .double(0.1), "0.10", .found),
        ("ratio", .double(1), "1.5", .waits), ("price", .decimal("1.5"), "\"1.50\"", .found),
        ("price", .decimal("1.50"), "1.5", .found), ("price", .decimal("1"), "1.0", .found),
        ("price", .decimal("1.5"), "1.51", .waits), ("code", .string("1.00"), "1", .found),
        ("code", .string("1.00"), "1.0", .found), ("code", .string("1.00"), "2", .waits),
        ("code", .string("1.00"), "\"1.0\"", .waits),
        ("isDone", .boolean(true), "1", .found), ("isDone", .boolean(true), "false", .waits),
        ("data", .json(#"{"a":1,"b":[1,2]}"#), #"{"b":[1.0,2],"a":1}"#, .found),
        ("data", .json("[1,2]"), "[2,1]", .waits),
    ])
    func `numbers and JSON are compared by value`(
        attribute: String,
        sent: Value,
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let name = attribute == "isDone" ? "is_done" : attribute
        let lost = try await LostCreation("{\"\(name)\": \(shown)}")
        try await lost.create(["title": .string("new"), attribute: sent])
        #expect(try await lost.sync() == outcome)
        let key = outcome == .found ? "integer(2)" : "null"
        #expect(try lost.rows().first == "Task#2 \(key) string(\"new\")")
    }

    @Test(arguments: [
        ("a & b", "a &amp; b"), ("a & b", "a &#38; b"), ("a & b", "a &#x26; b"), (" a ", "a"),
        ("a\nb", "a\r\nb"), ("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"),
        ("&lt;", "&amp;lt;"),
    ])
    func `a text in another form needs another value that is equal`(
        sent: String,
        shown: String
    ) async throws {
        func outcome(
            _ values: [String: Value] = [:],
            links: [String: [RecordLocator]] = [:],
            steps: [String] = []
        ) async throws -> LostCreation.Outcome {
            let lost = try await LostCreation("{\"title\": \(FakeJSON.string(shown))}")
            let title = ["title": Value.string(sent)]
            try await lost.create(title.merging(values) { $1 }, links: links, steps: steps)
            return try await lost.sync()
        }
        #expect(try await outcome() == .waits)
        #expect(try await outcome(["isDone": .boolean(true)]) == .waits)
        #expect(try await outcome(["count": .integer(7)]) == .found)
        #expect(try await outcome(links: ["list": [RecordLocator("List:2")]]) == .found)
        #expect(try await outcome(links: ["tags": [RecordLocator("Tag:2")]]) == .found)
        #expect(try await outcome(steps: ["walk"]) == .found)
    }

    @Test func `all objects that may be the one are listed`() async throws {
        let lost = try await LostCreation(#"{"title": "new"}"#)
        try await lost.create(["title": .string(" new ")])
        _ = try await lost.mirror.push()
        let object = try #require(lost.mirror.service["tasks", 2])
        lost.mirror.service.add("tasks", object, key: 5)
        lost.mirror.clock.advance(by: .seconds(7_200))
        #expect(try await lost.sync() == .waits)
        #expect(
            try lost.mirror.changes() == [
                """
                Task#2 create, uncertain: the service has objects that resemble it: Task:2, \
                Task:5
                """
            ]
        )
    }

    // MARK: Links

    @Test(arguments: [
        ([Int64]([1, 2]), "[1,2]", LostCreation.Outcome.found), ([1, 2], "[2,1]", .found),
        ([1, 2], "[\"2\",\"1\"]", .found), ([1, 2], "[{\"id\":2},{\"id\":1}]", .found),
        ([1, 2], "[1]", .waits), ([1, 2], "[1,3]", .waits), ([1, 2], "[1,2,3]", .waits),
        ([1, 2], "[]", .waits), ([1, 2], "[1,2,99]", .waits), ([1, 2], "null", .waits),
        ([], "[]", .found), ([], "[1]", .found),
    ])
    func `links of a list are compared as a set`(
        sent: [Int64],
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let lost = try await LostCreation("{\"tag_ids\": \(shown)}")
        try await lost.create(
            ["title": .string("new")],
            links: ["tags": sent.map { RecordLocator("Tag", key: RecordKey([.integer($0)])) }]
        )
        #expect(try await lost.sync() == outcome)
    }

    @Test(arguments: [
        ("2", LostCreation.Outcome.found), ("\"2\"", .found), ("1", .waits), ("null", .waits),
        ("99", .waits),
    ])
    func `a reference is compared with the row that it names`(
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let lost = try await LostCreation("{\"list_id\": \(shown)}")
        try await lost.create(
            ["title": .string("new")],
            links: ["list": [RecordLocator("List:2")]]
        )
        #expect(try await lost.sync() == outcome)
    }

    @Test func `an object with the same links alone is not that of a creation`() async throws {
        let lost = try await LostCreation(#"{"title": "other", "count": 8}"#)
        try await lost.create(
            ["title": .string("new"), "count": .integer(7)],
            links: ["list": [RecordLocator("List:2")], "tags": [RecordLocator("Tag:2")]]
        )
        #expect(try await lost.sync() == .sentAgain)
        #expect(try lost.mirror.changes() == [])
    }

    @Test func `links that were edited after the request are not compared`() async throws {
        let lost = try await LostCreation("{}")
        try await lost.create(
            ["title": .string("new")],
            links: ["tags": [RecordLocator("Tag:1"), RecordLocator("Tag:2")]],
            steps: ["walk"]
        )
        _ = try await lost.mirror.push()
        try await lost.mirror.update(
            "Task#2",
            ["title": .string("newer")],
            links: ["tags": [RecordLocator("Tag:2"), RecordLocator("Tag:3")], "steps": []]
        )
        lost.mirror.clock.advance(by: .seconds(60))
        _ = lost.mirror.service.takeWrites()
        _ = try await lost.mirror.engine().sync()
        #expect(try lost.mirror.changes() == [])
        let object = try #require(lost.mirror.service["tasks", 2])
        #expect(object["title"] == "newer")
        #expect(object["tag_ids"] == [2, 3])
        #expect(object["steps"] == [])
        #expect(try lost.rows() == ["Task#2 integer(2) string(\"newer\")"])
    }

    // MARK: Objects without a key

    @Test(arguments: [
        (#"[{"text":"a"},{"text":"b"}]"#, LostCreation.Outcome.found),
        (#"[{"text":"b"},{"text":"a"}]"#, .found),
        (#"[{"text":"b ","minutes":0},{"text":"a"}]"#, .found),
        (#"[{"text":"a"},{"text":"c"}]"#, .waits), (#"[{"text":"a"}]"#, .waits),
        (#"[{"text":"a"},{"text":"a"}]"#, .waits), ("[]", .waits), ("[1,2]", .waits),
        ("null", .waits),
    ])
    func `objects in a list are compared in any order`(
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let lost = try await LostCreation("{\"steps\": \(shown)}")
        try await lost.create(["title": .string("new")], steps: ["a", "b"])
        #expect(try await lost.sync() == outcome)
    }

    @Test(arguments: [
        (#"[{"text":"a"},{"text":"b"}]"#, LostCreation.Outcome.found),
        (#"[{"text":"b"},{"text":"a"}]"#, .waits), (#"[{"text":"a"}]"#, .waits),
    ])
    func `objects in an ordered list are compared in their order`(
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let lost = try await LostCreation("{\"notes\": \(shown)}")
        try await lost.create(["title": .string("new")], notes: ["a", "b"])
        #expect(try await lost.sync() == outcome)
    }

    @Test(arguments: [
        (#"{"city":"Paris"}"#, LostCreation.Outcome.found), (#"{"city":"Rome"}"#, .waits),
        ("null", .waits),
    ])
    func `an object in an object is compared by its values`(
        shown: String,
        outcome: LostCreation.Outcome
    ) async throws {
        let lost = try await LostCreation("{\"place\": \(shown)}")
        try await lost.create(["title": .string("new")], place: "Paris")
        #expect(try await lost.sync() == outcome)
    }
}
