import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// The order of a list is a local change, and is sent with the rows whose objects show the list.
struct PushOrderTests {
    /// A person has tasks in an order; albums and songs have each other in an order.
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [Attribute("id", .integer64)],
            relationships: [.one("person", "Person", inverse: "tasks")]
        ),
        EntityDescription(
            "Person",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("tasks", "Task", inverse: "person", isOrdered: true)]
        ),
        EntityDescription(
            "Album",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("songs", "Song", inverse: "albums", isOrdered: true)]
        ),
        EntityDescription(
            "Song",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("albums", "Album", inverse: "songs", isOrdered: true)]
        ),
    ])

    private static func mirror(
        _ lists: PlainService.Lists,
        by rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let paths = [
            ("Task", "tasks"), ("Person", "people"), ("Album", "albums"), ("Song", "songs"),
        ]
        var all = lists
        for (_, path) in paths where all[path] == nil { all[path] = [] }
        let mirror = try PlainMirror(model, paths, with: PlainService(all, rule))
        try await mirror.pull()
        return mirror
    }

    /// Tasks with the keys 1 to 3, and two people, of whom the first has them.
    private static func people(
        showingLists: Bool = true,
        showingReferences: Bool = false
    ) -> PlainService.Lists {
        var people: [FakeJSON] = [["id": 8], ["id": 9]]
        if showingLists {
            people[0]["task_ids"] = [1, 2, 3]
            people[1]["task_ids"] = []
        }
        let tasks = (1...3).map { key -> FakeJSON in
            showingReferences
                ? ["id": .number("\(key)"), "person_id": 8] : ["id": .number("\(key)")]
        }
        return ["people": people, "tasks": tasks]
    }

    private static func links(_ keys: [Int], to entity: String) throws -> [RecordLocator] {
        try keys.map { try RecordLocator("\(entity):\($0)") }
    }

    /// The keys of the rows in an ordered list.
    private static func keys(
        _ list: String,
        of row: String,
        in mirror: PlainMirror
    ) throws -> [Int64] {
        try mirror.store.read { reader in
            let record = try reader.record(RecordLocator(row), links: .only([list]))
            return try (record.links[list] ?? []).map { other in
                try reader.record(RecordLocator(other))["id"].integer
            }
        }
    }

    @Test(arguments: [false, true])
    func `a reorder alone is sent with the object that has the list`(
        showsReferences: Bool
    ) async throws {
        let mirror = try await Self.mirror(Self.people(showingReferences: showsReferences))
        try await mirror.update("Person:8", links: ["tasks": Self.links([3, 1, 2], to: "Task")])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH people/8 {"task_ids":[3,1,2]}"#])
        _ = try await mirror.engine().pull()
        #expect(try Self.keys("tasks", of: "Person:8", in: mirror) == [3, 1, 2])
        #expect(try mirror.changes() == [])
    }

    @Test func `a reorder here counts, and so does what another client adds and removes`()
        async throws
    {
        let mirror = try await Self.mirror(Self.people())
        try await mirror.update("Person:8", links: ["tasks": Self.links([3, 1, 2], to: "Task")])
        mirror.service["people", 8] = ["id": 8, "task_ids": [1, 3, 4]]
        mirror.service["tasks", 2] = ["id": 4]
        _ = try await mirror.engine().sync()
        _ = try await mirror.engine().sync()
        #expect(mirror.service["people", 8]?["task_ids"] == [3, 1, 4])
        #expect(try Self.keys("tasks", of: "Person:8", in: mirror) == [3, 1, 4])
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: [true, false])
    func `a task that moves arrives, whether lists are accepted or only shown`(
        acceptsLists: Bool
    ) async throws {
        let lists = Self.people(showingReferences: true)
        let mirror = try await Self.mirror(lists) { request, lists in
            guard request.method == "PATCH", let key = request.steps.last.flatMap(Int.init) else {
                return nil
            }
            if request.steps.first == "tasks", let person = request.body?["person_id"] {
                Self.move([key], to: person, in: &lists)
            } else if acceptsLists, case .array(let tasks)? = request.body?["task_ids"] {
                let keys = tasks.compactMap { Int($0.description) }
                Self.move(keys, to: .number("\(key)"), in: &lists)
            }
            let changed = lists[request.steps[0]]?.first { $0["id"] == .number("\(key)") }
            return .init(body: changed)
        }
        try await mirror.update("Task:1", links: ["person": Self.links([9], to: "Person")])
        _ = try await mirror.engine().sync()
        _ = try await mirror.engine().sync()
        #expect(mirror.service["tasks", 1] == ["id": 1, "person_id": 9])
        #expect(mirror.service["people", 8]?["task_ids"] == [2, 3])
        #expect(mirror.service["people", 9]?["task_ids"] == [1])
        #expect(try mirror.changes() == [])
        #expect(try Self.keys("tasks", of: "Person:9", in: mirror) == [1])
    }

    /// Lets tasks be in the list of a person alone, at its end.
    private static func move(_ keys: [Int], to person: FakeJSON, in lists: inout PlainService.Lists)
    {
        let moved = keys.map { FakeJSON.number("\($0)") }
        for index in (lists["tasks"] ?? []).indices {
            guard let key = lists["tasks"]?[index]["id"], moved.contains(key) else { continue }
            lists["tasks"]?[index]["person_id"] = person
        }
        for index in (lists["people"] ?? []).indices {
            guard case .array(let tasks)? = lists["people"]?[index]["task_ids"] else { continue }
            let isTarget = lists["people"]?[index]["id"] == person
            let others = tasks.filter { !moved.contains($0) }
            lists["people"]?[index]["task_ids"] = .array(others + (isTarget ? moved : []))
        }
    }

    @Test func `a reorder stays recorded when the service shows the references as well`()
        async throws
    {
        let mirror = try await Self.mirror(Self.people())
        try await mirror.update("Person:8", links: ["tasks": Self.links([3, 1, 2], to: "Task")])
        for key in 1...3 {
            mirror.service["tasks", key] = ["id": .number("\(key)"), "person_id": 8]
        }
        _ = try await mirror.engine().pull()
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH people/8 {"task_ids":[3,1,2]}"#])
    }

    @Test func `two ordered lists of the same links are both sent`() async throws {
        let mirror = try await Self.mirror([
            "albums": [["id": 1, "song_ids": [5, 6]], ["id": 2, "song_ids": [5, 6]]],
            "songs": [["id": 5, "album_ids": [1, 2]], ["id": 6, "album_ids": [1, 2]]],
        ])
        try await mirror.update("Album:1", links: ["songs": Self.links([6, 5], to: "Song")])
        try await mirror.update("Song:5", links: ["albums": Self.links([2, 1], to: "Album")])
        _ = try await mirror.engine().sync()
        #expect(mirror.service["albums", 1]?["song_ids"] == [6, 5])
        #expect(mirror.service["songs", 5]?["album_ids"] == [2, 1])
        #expect(mirror.service["songs", 6]?["album_ids"] == [1, 2])
        #expect(try mirror.changes() == [])
    }

    @Test func `an order whose list the service does not show is reported`() async throws {
        let mirror = try await Self.mirror(
            Self.people(showingLists: false, showingReferences: true)
                .merging([
                    "albums": [["id": 1]],
                    "songs": [["id": 5, "album_ids": [1]]],
                ]) { own, _ in own }
        )
        let unsent = ["Album.songs", "Person.tasks"]
        #expect(try SyncStatus.of(mirror.store).unsentOrders == unsent)
        let log = EventLog()
        _ = try await SyncEngine.prepare(
            store: mirror.store,
            service: mirror.remote,
            resources: mirror.resources,
            transport: AnyTransport(mirror.service),
            onEvent: log.record
        )
        #expect(log.lines == unsent.map { "order of \($0) is not sent" })
        // With the list, its order is.
        var resources = mirror.resources
        for index in resources.indices {
            resources[index].push.body.links = ["Album.songs", "Person.tasks"]
        }
        var decided = mirror
        decided.resources = resources
        _ = try await decided.push()
        #expect(try SyncStatus.of(mirror.store).unsentOrders == ["Song.albums"])
        try await mirror.update("Person:8", links: ["tasks": Self.links([3, 1, 2], to: "Task")])
        _ = try await decided.push()
        #expect(mirror.service.takeWrites() == [#"PATCH people/8 {"task_ids":[3,1,2]}"#])
    }

    @Test func `nothing is reported of an order before objects were seen`() async throws {
        let mirror = try await Self.mirror([:])
        #expect(try SyncStatus.of(mirror.store).unsentOrders == [])
    }
}

extension Value {
    /// The number of an integer key; 0 for any other value.
    fileprivate var integer: Int64 {
        if case .integer(let number) = self { number } else { 0 }
    }
}
