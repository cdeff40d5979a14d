import Testing
import TidemarkModel

@testable import TidemarkImport

/// Which policy decides about a property.
struct ConflictPolicyTests {
    private static let model = Model(entities: [
        EntityDescription("Item"),
        EntityDescription("Note", parent: "Item"),
        EntityDescription("Sketch", parent: "Note"),
        EntityDescription("Folder"),
    ])

    @Test func `what is not set for an entity is inherited`() {
        let policies = ConflictPolicies(
            default: .localWins,
            deletes: .editWins,
            entities: [
                "Item": .init(.manual, properties: ["title": .remoteWins], deletes: .manual),
                "Note": .init(properties: ["text": .latestWins(by: "editedAt")]),
                "Sketch": .init(.localWins, deletes: .localWins),
            ]
        )
        .inherited(in: Self.model)
        let decided = Self.model.entities.map { entity in
            let names = ["title", "text", "other"].map { property in
                policies.policy(for: property, of: entity.name).name
            }
            let deletes = policies.deletePolicy(of: entity.name).rawValue
            return "\(entity.name): \(names.joined(separator: ", ")), deletes \(deletes)"
        }
        #expect(
            decided == [
                "Item: remoteWins, manual, manual, deletes manual",
                "Note: remoteWins, latestWins:editedAt, manual, deletes manual",
                "Sketch: remoteWins, latestWins:editedAt, localWins, deletes localWins",
                "Folder: localWins, localWins, localWins, deletes editWins",
            ]
        )
    }
}
