import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkYAML

/// Models in YAML: parsing a printed model results in the same model.
struct ModelYAMLTests {
    private func roundTrip(_ model: Model) throws -> Model {
        let text = try ModelYAML(model).text()
        return try Model.decoding { try YAMLText(text).decode(Model.self) }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a random model is unchanged after printing and parsing`(seed: UInt64) throws {
        let model = RandomModel.model(seed: seed)
        #expect(try roundTrip(model) == model)
    }

    /// The model has every key of the text form, with strings that YAML could parse as values of
    /// another type.
    @Test func `every key is unchanged after printing and parsing`() throws {
        let text = Attribute(
            "text",
            .string,
            isOptional: false,
            defaultValue: .string("no"),
            remoteKey: "a.b",
            renamingIdentifier: "1",
            userInfo: ["a: b": "#\"x\"\n", "tidemark.note": "~"]
        )
        let model = Model(entities: [
            EntityDescription(
                "Zebra",
                isAbstract: true,
                primaryKey: ["id", "text"],
                attributes: [Attribute("id", .integer64), text],
                relationships: [
                    Relationship(
                        "others",
                        to: "Ant",
                        isToMany: true,
                        isOrdered: true,
                        inverse: "zebra",
                        deleteRule: .cascade
                    )
                ],
                uniquenessConstraints: [["text"], ["id", "text"]],
                fetchIndexes: [
                    FetchIndex("by", elements: [.init("text", isAscending: false), .init("id")])
                ],
                discriminator: "kind",
                identity: .shared,
                renamingIdentifier: "yes",
                userInfo: ["0x10": "1e3"]
            ),
            EntityDescription(
                "Ant",
                attributes: [Attribute("b", .json), Attribute("a", .decimal)],
                relationships: [Relationship("zebra", to: "Zebra", inverse: "others")]
            ),
            EntityDescription("Foal", parent: "Zebra"),
        ])
        #expect(try roundTrip(model) == model)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a mapping with 50,000 keys is parsed in linear time`() throws {
        let keys = (0..<50_000).map { "k\($0): v\($0)" }.joined(separator: "\n")
        let decoded = try YAMLText(keys).decode([String: String].self)
        #expect(decoded.count == 50_000)
        #expect(decoded["k49999"] == "v49999")
    }
}
