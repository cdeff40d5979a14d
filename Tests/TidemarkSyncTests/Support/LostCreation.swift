import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// A service that stores a task in a form of its own, and whose response to the creation is lost.
struct LostCreation {
    var mirror: PlainMirror

    /// What has become of the creation.
    enum Outcome: String {
        /// The row has the key of the object, and nothing is left.
        case found
        /// It waits for its user.
        case waits
        /// It was sent again.
        case sentAgain
    }

    /// Tasks belong to a list, have tags, and contain steps, notes in an order, and a place.
    static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("code", .string), Attribute("count", .integer64),
                Attribute("ratio", .double), Attribute("price", .decimal),
                Attribute("data", .json), Attribute("isDone", .boolean),
            ],
            relationships: [
                .one("list", "List", inverse: "tasks"), .many("tags", "Tag", inverse: "tasks"),
                .many("steps", "Step", inverse: "task"),
                .many("notes", "Note", inverse: "task", isOrdered: true), .one("place", "Place"),
            ]
        ),
        EntityDescription(
            "List",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("tasks", "Task", inverse: "list")]
        ),
        EntityDescription(
            "Tag",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("tasks", "Task", inverse: "tags")]
        ),
        EntityDescription(
            "Step",
            attributes: [Attribute("text", .string), Attribute("minutes", .double)],
            relationships: [.one("task", "Task", inverse: "steps")]
        ),
        EntityDescription(
            "Note",
            attributes: [Attribute("text", .string)],
            relationships: [.one("task", "Task", inverse: "notes")]
        ),
        EntityDescription("Place", attributes: [Attribute("city", .string)]),
    ])

    /// Creates a service with a task that shows all members, lists and tags.
    ///
    /// - Parameter changed: The members that the first object has instead of those that were sent,
    ///   as JSON; nil if the first request is lost before the service has it.
    /// - Throws: An error if the text is not JSON, or the first pull fails.
    init(_ changed: String?) async throws {
        let members = try changed.map { try FakeJSON(parsing: Array($0.utf8)) }
        let isFirst = Locked(true)
        let service = PlainService([
            "tasks": [
                [
                    "id": 1, "title": "first", "code": "x", "count": 1, "ratio": 0.5,
                    "price": "1.50", "data": ["a": 1], "is_done": false, "list_id": 1,
                    "tag_ids": [1], "steps": [["text": "one", "minutes": 1]],
                    "notes": [["text": "one"]], "place": ["city": "Rome"],
                ]
            ],
            "lists": [["id": 1], ["id": 2]], "tags": [["id": 1], ["id": 2], ["id": 3]],
        ]) { request, lists in
            guard request.method == "POST",
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return nil }
            if let members {
                var object: FakeJSON = ["id": 2]
                object.assign(request.body ?? [:])
                object.assign(members)
                lists["tasks"]?.append(object)
            }
            return .init(status: 500, body: [:])
        }
        mirror = try PlainMirror(
            Self.model,
            [("List", "lists"), ("Tag", "tags"), ("Task", "tasks")],
            with: service
        )
        try await mirror.pull()
    }

    /// Creates a task.
    ///
    /// - Parameters:
    ///   - values: Its values.
    ///   - links: The rows that it is linked to.
    ///   - steps: The texts of its steps.
    ///   - notes: The texts of its notes.
    ///   - place: The city of its place.
    /// - Throws: `StoreError`, `DatabaseError`.
    func create(
        _ values: [String: Value],
        links: [String: [RecordLocator]] = [:],
        steps: [String] = [],
        notes: [String] = [],
        place: String? = nil
    ) async throws {
        try await mirror.store.write { writer in
            var links = links
            for (name, entity, texts) in [("steps", "Step", steps), ("notes", "Note", notes)] {
                guard !texts.isEmpty else { continue }
                links[name] = try texts.map { text in
                    RecordLocator(try writer.insert(entity, values: ["text": .string(text)]))
                }
            }
            if let place {
                let row = try writer.insert("Place", values: ["city": .string(place)])
                links["place"] = [RecordLocator(row)]
            }
            _ = try writer.insert("Task", values: values, links: links)
        }
    }

    /// Syncs until nothing changes any more.
    func sync() async throws -> Outcome {
        for _ in 1...3 {
            _ = try await mirror.engine().sync()
            mirror.clock.advance(by: .seconds(7_200))
        }
        let posts = mirror.service.takeWrites().count { $0.hasPrefix("POST") }
        guard posts == 1 else { return .sentAgain }
        return try mirror.changes().isEmpty ? .found : .waits
    }

    /// The tasks of the store, without those of the beginning.
    func rows() throws -> [String] {
        try mirror.store.read { reader in
            try reader.fetch(RecordRequest("Task")).dropFirst().map { task in
                "\(task.reference) \(task["id"]) \(task["title"])"
            }
        }
    }
}
