import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Lists of services that leave out members that are null.
struct OmittedNullTests {
    private static let model = Model {
        EntityDescription("Task") {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
            Attribute("note", .string)
            Attribute("city", .string, remoteKey: "address.city")
            Attribute("rank", .integer64, defaultValue: .integer(9))
            Attribute("color", .string, isExportable: false)
            Relationship("owner", to: "Person", inverse: "tasks")
            Relationship("lines", to: "Line", isToMany: true, inverse: "task")
        }
        EntityDescription("Line") {
            Attribute("text", .string)
            Attribute("size", .integer64)
            Relationship("task", to: "Task", inverse: "lines")
        }
        EntityDescription("Person") {
            Attribute("id", .integer64)
            Attribute("name", .string)
            Attribute("mail", .string)
            Relationship("tasks", to: "Task", isToMany: true, inverse: "owner")
        }
    }

    private static let lines: FakeJSON = [["text": "l", "size": 1], ["text": "k", "size": 2]]

    private static let whole: FakeJSON = [
        "id": 1, "name": "a", "note": "x", "address": ["city": "Bern"], "rank": 4,
        "owner": ["id": 2, "name": "p", "mail": "m"],
        "lines": lines,
    ]

    private static func mirror(
        _ tasks: [FakeJSON] = [whole],
        people: [FakeJSON]? = nil,
        _ style: (inout ResourceStyle) -> Void = { $0.omitsNulls = true }
    ) async throws -> PlainMirror {
        var lists: PlainService.Lists = ["tasks": tasks]
        var resources = [("Task", "tasks")]
        if let people {
            lists["people"] = people
            resources.append(("Person", "people"))
        }
        let mirror = try PlainMirror(model, resources, with: PlainService(lists)) {
            style(&$0.style)
        }
        try await mirror.pull()
        return mirror
    }

    private func rows(_ mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            let properties = [
                ("Task", ["name", "note", "city", "rank"]), ("Person", ["name", "mail"]),
                ("Line", ["text", "size"]),
            ]
            return try properties.flatMap { entity, names in
                try reader.fetch(RecordRequest(entity, links: .all)).map { record in
                    let values = names.map { name in
                        record[name] == .null ? "null" : record[name].requestText
                    }
                    let owner = record.links["owner"]?.map(\.description) ?? []
                    return (["\(record.reference)"] + values + owner).joined(separator: " ")
                }
            }
        }
    }

    private func expectEqual(_ mirror: PlainMirror, _ expected: [String]) async throws {
        _ = try await mirror.read()
        let actual = try rows(mirror)
        #expect(actual == expected)
        let verification = try await mirror.engine().verify()
        #expect(verification.matches, "\(verification.lines)")
        #expect(try await mirror.read().total.isUnchanged)
    }

    @Test func `a member that an object lacks clears its property`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.edit("UPDATE Task SET color = 'red'")
        mirror.service["tasks", 1] = ["id": 1, "name": "a", "lines": Self.lines]
        try await expectEqual(
            mirror,
            ["Task#1 a null null 9", "Person#1 p m", "Line#1 l 1", "Line#2 k 2"]
        )
        let color = try await mirror.store.read { try $0.record(RecordLocator("Task:1"))["color"] }
        #expect(color == .string("red"))
    }

    @Test func `without the option, what an object lacks stays`() async throws {
        let mirror = try await Self.mirror { _ in }
        mirror.service["tasks", 1] = ["id": 1, "name": "a"]
        _ = try await mirror.read()
        let actual = try rows(mirror)
        #expect(
            actual == ["Task#1 a x Bern 4 Person#1", "Person#1 p m", "Line#1 l 1", "Line#2 k 2"]
        )
    }

    @Test func `an object that lacks a required member is a part, and clears nothing`() async throws
    {
        let mirror = try await Self.mirror()
        mirror.service["tasks", 1] = ["id": 1, "note": "y"]
        _ = try await mirror.read()
        let actual = try rows(mirror)
        #expect(actual.first == "Task#1 a y Bern 4 Person#1")
    }

    @Test func `an embedded object with a key is a part, its own list is whole`() async throws {
        let person: FakeJSON = ["id": 2, "name": "p", "mail": "m"]
        let mirror = try await Self.mirror(people: [person])
        mirror.service["tasks", 1]?["owner"] = ["id": 2]
        mirror.service["tasks", 1]?["lines"] = []
        try await expectEqual(mirror, ["Task#1 a x Bern 4 Person#1", "Person#1 p m"])
        mirror.service["people", 2] = ["id": 2, "name": "p"]
        try await expectEqual(mirror, ["Task#1 a x Bern 4 Person#1", "Person#1 p null"])
    }

    @Test func `objects without a key are whole, as the object that contains them`() async throws {
        let mirror = try await Self.mirror()
        mirror.service["tasks", 1]?["lines"] = [["text": "k", "size": 2], ["text": "n"]]
        try await expectEqual(
            mirror,
            ["Task#1 a x Bern 4 Person#1", "Person#1 p m", "Line#1 k 2", "Line#2 n null"]
        )
    }

    @Test func `null and a missing member are merged with an edit in the same way`() async throws {
        for isOmitted in [true, false] {
            let mirror = try await Self.mirror { $0.omitsNulls = isOmitted }
            try await mirror.update("Task:1", ["name": .string("b")])
            mirror.service["tasks", 1]?["note"] = .null
            if isOmitted { mirror.service["tasks", 1]?.remove("note") }
            _ = try await mirror.engine().sync()
            var actual = try rows(mirror)
            #expect(actual.first == "Task#1 b null Bern 4 Person#1")
            #expect(mirror.service["tasks", 1]?["name"] == "b")
            #expect(try mirror.changes() == [])
            try await mirror.update("Task:1", ["city": .string("Rome")])
            mirror.service["tasks", 1]?["address"] = ["city": .null]
            if isOmitted { mirror.service["tasks", 1]?.remove("address") }
            _ = try await mirror.read()
            let conflicts = try mirror.recordedConflicts()
            #expect(conflicts == ["Task#1 edit city: Bern, Rome, ,  (remote)"])
            actual = try rows(mirror)
            #expect(actual.first == "Task#1 b null null 4 Person#1")
        }
    }

    @Test func `changes of a list are whole objects, and a list of keys has none`() async throws {
        var mirror = try ScriptedMirror(Self.model, [("Task", "tasks")])
        mirror.resources[0].style.omitsNulls = true
        mirror.resources[0].style.delta = .since(
            ChangeQuery.Since(field: ["at"], parameter: "since")
        )
        mirror.resources[0].style.parameters.keys = [QueryItem("fields", "id")]
        func list(_ members: String) -> String {
            #"{"results": [{"id": 1, "name": "a", "at": "2026-01-0\#(members)}]}"#
        }
        mirror.service["/tasks"] = list(#"1T00:00:00Z", "note": "x", "rank": 3"#)
        mirror.service["/tasks?fields=id"] = #"{"results": [{"id": 1}]}"#
        mirror.service["/tasks?since=2025-12-31T23%3A59%3A59Z"] = list(#"1T00:00:00Z", "rank": 3"#)
        try await mirror.pull()
        let before = try table(of: mirror.store, "Task")
        #expect(before.contains(" x "))
        try await mirror.pull()
        let after = try table(of: mirror.store, "Task")
        #expect(!after.contains(" x ") && after.contains(" 3 "), "\(after)")
    }

    @Test func `a change of the option reads cached pages again`() async throws {
        var mirror = try ScriptedMirror(Self.model, [("Task", "tasks")])
        mirror.service["/tasks"] = #"{"results": [{"id": 1, "name": "a"}]}"#
        try await mirror.pull()
        try await mirror.store.writer.write { try $0.execute(sql: "UPDATE Task SET note = 'x'") }
        try await mirror.pull()
        #expect(try table(of: mirror.store, "Task").contains(" x "))
        mirror.resources[0].style.omitsNulls = true
        try await mirror.pull()
        #expect(try !table(of: mirror.store, "Task").contains(" x "))
    }
}

extension FakeJSON {
    /// Removes a member.
    fileprivate mutating func remove(_ name: String) {
        guard case .object(let members) = self else { return }
        self = .object(members.filter { $0.name != name })
    }
}
