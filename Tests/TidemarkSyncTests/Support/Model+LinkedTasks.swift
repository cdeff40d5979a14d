import TidemarkModel
import TidemarkTestSupport

extension Model {
    /// Tasks and tags link to each other; a person has tasks.
    static let linkedTasks = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [Attribute("id", .integer64), Attribute("title", .string)],
            relationships: [
                .many("tags", "Tag", inverse: "tasks"),
                Relationship("person", to: "Person", inverse: "tasks"),
            ]
        ),
        EntityDescription(
            "Tag",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.many("tasks", "Task", inverse: "tags")]
        ),
        EntityDescription(
            "Person",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("tasks", "Task", inverse: "person")]
        ),
    ])
}
