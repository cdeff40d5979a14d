import Testing
import TidemarkModel

struct ModelBuilderTests {
    @Test(arguments: [true, false])
    func `the result builder creates the same model as arrays`(hasNotes: Bool) {
        let listed = Model {
            EntityDescription("User", primaryKey: ["key"], discriminator: "type") {
                Attribute("key", .string)
                for name in ["first", "last"] {
                    Attribute(name, .string, isOptional: false)
                }
                if hasNotes {
                    Relationship("notes", to: "Note", isToMany: true, inverse: "user")
                } else {
                    Attribute("notes", .json)
                }
            }
            if hasNotes {
                EntityDescription("Note") {
                    Relationship("user", to: "User", inverse: "notes")
                }
            }
        }
        let user = EntityDescription(
            "User",
            primaryKey: ["key"],
            attributes: [
                Attribute("key", .string), Attribute("first", .string, isOptional: false),
                Attribute("last", .string, isOptional: false),
            ] + (hasNotes ? [] : [Attribute("notes", .json)]),
            relationships: hasNotes
                ? [Relationship("notes", to: "Note", isToMany: true, inverse: "user")] : [],
            discriminator: "type"
        )
        let note = EntityDescription(
            "Note",
            relationships: [Relationship("user", to: "User", inverse: "notes")]
        )
        #expect(listed == Model(entities: hasNotes ? [user, note] : [user]))
    }
}
