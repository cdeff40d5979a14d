import Foundation
import Testing
import TidemarkInference
import TidemarkModel

struct ModelSummaryTests {
    @Test func `describes a model in the format that the command prints`() throws {
        let user = EntityDescription(
            "User",
            attributes: [Attribute("remoteID", .integer32), Attribute("firstName", .string)],
            relationships: [
                Relationship(
                    "notes",
                    to: "Note",
                    isToMany: true,
                    inverse: "user",
                    deleteRule: .cascade
                )
            ]
        )
        let note = EntityDescription("Note", attributes: [Attribute("id", .integer64)])
        let order = EntityDescription(
            "Order",
            primaryKey: ["storeID", "number"],
            attributes: [Attribute("storeID", .integer64), Attribute("number", .string)]
        )
        let spot = EntityDescription("Spot", parent: "Order", isAbstract: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let model = Model(entities: [user, note, order, spot, EntityDescription("Bare")])
        let text = String(decoding: try encoder.encode(ModelSummary(model)), as: UTF8.self)
        for part in [
            "\"Bare\":{\"abstract\":false,\"attributes\":{},\"parent\":null,\"primaryKey\":null,"
                + "\"relationships\":{}}",
            "\"primaryKey\":{\"local\":[\"storeID\",\"number\"],"
                + "\"remote\":[\"store_id\",\"number\"],\"type\":[\"integer64\",\"string\"]}",
            "\"primaryKey\":{\"local\":\"remoteID\",\"remote\":\"id\",\"type\":\"integer32\"}",
            "\"firstName\":{\"exportKeys\":{\"camel\":\"firstName\",\"snake\":\"first_name\"},"
                + "\"optional\":true,\"remoteKeys\":[\"firstName\",\"first_name\",\"first-name\"],"
                + "\"type\":\"string\"}",
            "\"notes\":{\"deleteRule\":\"cascade\",\"destination\":\"Note\",",
            "\"inverse\":\"user\",\"ordered\":false,\"referenceKeys\":[\"notes_ids\",\"note_ids\",",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func `the summary of a model contains the values of such a key`() throws {
        let model = Model(entities: [
            EntityDescription(
                "Blog",
                primaryKey: ["host"],
                attributes: [Attribute("host", .string)],
                relationships: [Relationship("posts", to: "Post", isToMany: true, inverse: "blog")]
            ),
            EntityDescription(
                "Post",
                primaryKey: ["blog", "id"],
                attributes: [Attribute("id", .integer64)],
                relationships: [Relationship("blog", to: "Blog", inverse: "posts")]
            ),
        ])
        let parts = try #require(ModelSummary(model).entities["Post"]).primaryKey
        #expect(parts.map(\.local) == ["blog", "id"])
        #expect(parts.map(\.remote) == ["blog_id", "id"])
        #expect(parts.map(\.type) == [.string, .integer64])
    }
}
