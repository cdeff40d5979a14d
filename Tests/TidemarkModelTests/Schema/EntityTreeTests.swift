import Testing

@testable import TidemarkModel

struct EntityTreeTests {
    private func trees(_ entities: EntityDescription...) -> [String] {
        Model(entities: entities).trees.map { "\($0.root): \($0.members.joined(separator: " "))" }
    }

    private func abstract(
        _ name: String,
        parent: String? = nil,
        discriminator: String? = nil,
        identity: EntityDescription.Identity? = nil
    ) -> EntityDescription {
        EntityDescription(
            name,
            parent: parent,
            isAbstract: true,
            discriminator: discriminator,
            identity: identity
        )
    }

    @Test func `a tree consists of a root and its descendants, in model order`() {
        #expect(
            trees(
                EntityDescription("Sedan", parent: "Car"),
                EntityDescription("Note"),
                EntityDescription("Car"),
                EntityDescription("Taxi", parent: "Sedan")
            ) == ["Note: Note", "Car: Sedan Car Taxi"]
        )
    }

    @Test func `splits an abstract root, and its abstract children too`() {
        #expect(
            trees(
                abstract("Base"),
                abstract("Dated", parent: "Base"),
                EntityDescription("User", parent: "Dated"),
                EntityDescription("Company", parent: "Base"),
                EntityDescription("Admin", parent: "User")
            )
                == ["User: User Admin", "Company: Company"]
        )
    }

    @Test func `keeps an abstract entity below a concrete one`() {
        #expect(
            trees(
                EntityDescription("Top"),
                abstract("Middle", parent: "Top"),
                EntityDescription("Leaf", parent: "Middle")
            )
                == ["Top: Top Middle Leaf"]
        )
    }

    @Test func `keeps an abstract root with a discriminator or an incoming relationship`() {
        let note = EntityDescription("Note", relationships: [Relationship("about", to: "Base")])
        #expect(
            trees(abstract("Base"), EntityDescription("User", parent: "Base"), note) == [
                "Base: Base User", "Note: Note",
            ]
        )
        #expect(
            trees(
                abstract("Base", discriminator: "kind"),
                EntityDescription("User", parent: "Base")
            )
                == ["Base: Base User"]
        )
        #expect(
            trees(
                abstract("Root"),
                abstract("Base", parent: "Root"),
                EntityDescription("User", parent: "Base"),
                note
            )
                == ["Base: Base User", "Note: Note"]
        )
    }

    @Test func `the declared identity takes precedence`() {
        #expect(
            trees(
                abstract("Base", identity: .shared),
                EntityDescription("A", parent: "Base"),
                EntityDescription("B", parent: "Base")
            )
                == ["Base: Base A B"]
        )
        #expect(
            trees(
                abstract("Base", discriminator: "kind", identity: .separate),
                EntityDescription("A", parent: "Base"),
                EntityDescription("B", parent: "Base")
            ) == ["A: A", "B: B"]
        )
    }

    @Test func `finds the tree of an entity`() {
        let model = Model(entities: [
            abstract("Base"), EntityDescription("User", parent: "Base"),
            EntityDescription("A", parent: "User"),
        ])
        #expect(model.tree(of: "A") == EntityTree(root: "User", members: ["User", "A"]))
        #expect(model.tree(of: "Base") == nil)
        #expect(model.tree(of: "Nemo") == nil)
    }

    @Test func `terminates if inheritance is cyclic`() {
        let model = Model(entities: [
            EntityDescription("A", parent: "B"), EntityDescription("B", parent: "A"),
            abstract("C", parent: "C"),
        ])
        #expect(model.trees.count <= 3)
    }
}
