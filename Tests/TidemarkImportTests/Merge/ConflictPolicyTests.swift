import Testing
import TidemarkModel
import TidemarkStore

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

    @Test func `an attribute of a type is merged by its values`() throws {
        var policies = ConflictPolicies(default: .localWins)
        policies.set(.manual, for: \Note.Properties.title)
        policies.merge(\Note.Properties.size) { base, local, remote in
            guard let base, let local, let remote else { return nil }
            return local + remote - base
        }
        #expect(policies.policy(for: "title", of: "Note").name == "manual")
        #expect(policies.policy(for: "text", of: "Note").name == "localWins")
        guard case .custom(let merge) = policies.policy(for: "size", of: "Note").rule else {
            Issue.record("The attribute has no policy of its own.")
            return
        }
        func merged(_ base: Value, _ local: Value, _ remote: Value) throws -> Value {
            try merge(
                ValueConflict(
                    row: RowReference("Note", 1),
                    attribute: "size",
                    base: base,
                    local: local,
                    remote: remote
                )
            )
        }
        #expect(try merged(.integer(10), .integer(12), .integer(15)) == .integer(17))
        #expect(try merged(.null, .integer(12), .integer(15)) == .null)
        #expect(throws: StoreError.self) { try merged(.string("x"), .integer(12), .integer(15)) }
    }
}

private struct Note: EntityRecord {
    var rowID = RowID<Note>.unsaved

    static let entityName = "Note"
    static let entity = EntityDescription(entityName) {
        Attribute("title", .string)
        Attribute("size", .integer64)
    }

    struct Properties: EntityProperties {
        typealias Record = Note
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var title: AttributeExpression<String> { path.attribute("title") }
        var size: AttributeExpression<Int> { path.attribute("size") }
    }

    init(from row: EntityRow) {}

    func encode(to row: inout EncodedRow) {}
}
