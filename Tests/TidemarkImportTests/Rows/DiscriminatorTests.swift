import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Objects whose discriminator selects their entity.
struct DiscriminatorTests {
    private func store() throws -> Store {
        try .of(
            EntityDescription(
                "Animal",
                attributes: [.init("id", .integer64), .init("name", .string)],
                relationships: [.one("owner", "Owner", inverse: "animals")],
                discriminator: "meta.kind"
            ),
            EntityDescription(
                "Dog",
                parent: "Animal",
                attributes: [.init("tricks", .integer16, defaultValue: .integer(1))],
                relationships: [.one("trainer", "Owner", inverse: "pupils")]
            ),
            EntityDescription(
                "HouseCat",
                parent: "Animal",
                attributes: [.init("lives", .integer16, isOptional: false)]
            ),
            .named(
                "Owner",
                [],
                .many("animals", "Animal", inverse: "owner"),
                .many("pupils", "Dog", inverse: "trainer"),
                .one("dog", "Dog")
            )
        )
    }

    @Test func `the discriminator selects the entity of an object in any spelling of its name`()
        throws
    {
        let store = try store()
        try expect(
            store.load(
                "Animal",
                #"""
                [{"id": 1, "meta": {"kind": "Dog"}}, {"id": 2, "meta": {"kind": "house_cat"}, "lives": 9},
                 {"id": 3, "meta": {"kind": "house-cats"}, "lives": 7}, {"id": 4},
                 {"id": 5, "meta": {"kind": "Zoo::HouseCat"}, "lives": 1},
                 {"id": 6, "meta": {"kind": "animal"}}]
                """#
            ),
            is: "Animal +2, Dog +1, HouseCat +3"
        )
    }

    @Test func `an unknown discriminator value selects the entity of the import`() throws {
        let store = try store()
        try expect(
            store.load(
                "Animal",
                #"[{"id": 1, "meta": {"kind": "Owner"}}, {"id": 2, "meta": {"kind": 5}}]"#
            ),
            is: """
                Animal +2
                Animal:1, meta.kind: The value is not the name of Animal or of one of its sub-entities. ×2
                """
        )
        try expect(
            store.load("Dog", #"[{"id": 3, "meta": {"kind": "HouseCat"}}]"#),
            is: """
                Dog +1
                Dog:3, meta.kind: The value is not the name of Dog or of one of its sub-entities.
                """
        )
    }

    @Test func `the discriminator of a nested object selects its entity`() throws {
        let store = try store()
        try expect(
            store.load(
                "Owner",
                #"""
                [{"id": 1, "animals": [{"id": 1, "meta": {"kind": "Dog"}, "tricks": 3},
                  {"id": 2, "meta": {"kind": "HouseCat"}, "lives": 9}]}]
                """#
            ),
            is: "Dog +1, HouseCat +1, Owner +1"
        )
    }

    @Test
    func `a row that changes its entity keeps its number and loses properties of the old one`()
        throws
    {
        let store = try store()
        let dog = #"""
            [{"id": 1, "name": "a", "meta": {"kind": "Dog"}, "tricks": 5, "owner_id": 1,
              "trainer_id": 1}]
            """#
        try store.load("Owner", #"[{"id": 1, "dog_id": 1}]"#)
        try store.load("Animal", dog)
        try expect(
            store.load("Animal", #"[{"id": 1, "meta": {"kind": "HouseCat"}}]"#),
            is: """
                HouseCat !1
                HouseCat:1, lives: A row must have a value.
                """
        )
        let cat = #"[{"id": 1, "meta": {"kind": "HouseCat"}, "lives": 9}]"#
        try expect(store.load("Animal", cat), is: "Dog -1, HouseCat +1, Owner ~1")
        try expect(store.load("Animal", cat), is: "HouseCat =1")
        try expect(
            table(of: store, "HouseCat", "Owner"),
            is: """
                HouseCat
                #  id  name  lives  owner
                1  1   a     9      1

                Owner
                #  id  name  animals  pupils  dog
                1  1   -     [1]      []      -

                Unresolved
                relationship  owner  key  position
                Owner.dog     1      1    -
                """
        )
        try expect(
            store.load("Animal", #"[{"id": 1, "meta": {"kind": "Dog"}}]"#),
            is: "Dog +1, HouseCat -1, Owner ~1"
        )
        try expect(
            table(of: store, "Dog", "Owner"),
            is: """
                Dog
                #  id  name  tricks  owner  trainer
                1  1   a     1       1      -

                Owner
                #  id  name  animals  pupils  dog
                1  1   -     [1]      []      1
                """
        )
    }

    /// Only a delete rule, or the lack of a key, proves that a child exists no longer.
    @Test func `children that only the old entity can have are deleted by its delete rules`() throws
    {
        let store = try Store.of(
            EntityDescription(
                "Animal",
                attributes: [.init("id", .integer64)],
                discriminator: "kind"
            ),
            EntityDescription(
                "Dog",
                parent: "Animal",
                relationships: [
                    .many("bones", "Bone", inverse: "dog"),
                    .many("fleas", "Flea", inverse: "dog", .cascade),
                    .many("friends", "Friend", inverse: "dog"),
                ]
            ),
            EntityDescription("Cat", parent: "Animal"),
            EntityDescription(
                "Bone",
                attributes: [.init("size", .integer16)],
                relationships: [.one("dog", "Dog", inverse: "bones")]
            ),
            .named("Flea", [], .one("dog", "Dog", inverse: "fleas")),
            .named("Friend", [], .one("dog", "Dog", inverse: "friends"))
        )
        try store.load(
            "Animal",
            #"""
            [{
                "id": 1, "kind": "Dog", "bones": [{"size": 3}], "fleas": [{"id": 7}, {"id": 8}],
                "friends": [{"id": 9}]
            }]
            """#
        )
        try expect(
            store.load("Animal", #"[{"id": 1, "kind": "Cat"}]"#),
            is: "Bone -1, Cat +1, Dog -1, Flea -2, Friend ~1"
        )
        try expect(
            table(of: store, "Cat", "Bone", "Flea", "Friend"),
            is: """
                Cat
                #  id
                1  1

                Bone: no rows

                Flea: no rows

                Friend
                #  id  name  dog
                1  9   -     -

                Unresolved
                relationship  owner  key  position
                Friend.dog    9      1    -
                """
        )
    }

    @Test func `a list entry of a row that changes its entity becomes an unresolved reference`()
        throws
    {
        var fleas = Relationship.many("fleas", "Flea", inverse: "dog")
        fleas.orphans = .unlink
        let store = try Store.of(
            EntityDescription(
                "Animal",
                attributes: [.init("id", .integer64)],
                discriminator: "kind"
            ),
            EntityDescription("Dog", parent: "Animal", relationships: [fleas]),
            EntityDescription("Cat", parent: "Animal"),
            .named("Flea", [], .one("dog", "Dog", inverse: "fleas"))
        )
        try store.load("Animal", #"[{"id": 1, "kind": "Dog", "fleas": [{"id": 7}]}]"#)
        try store.load("Animal", #"[{"id": 1, "kind": "Cat"}]"#)
        try expect(
            table(of: store, "Flea"),
            is: """
                Flea
                #  id  name  dog
                1  7   -     -

                Unresolved
                relationship  owner  key  position
                Flea.dog      7      1    -
                """
        )
    }

    @Test func `a row that cannot change to the entity of a relationship is not linked`() throws {
        let store = try Store.of(
            EntityDescription(
                "Animal",
                attributes: [.init("id", .integer64)],
                discriminator: "kind"
            ),
            EntityDescription(
                "Cat",
                parent: "Animal",
                attributes: [.init("lives", .integer16, isOptional: false)],
                relationships: [.one("owner", "Owner", inverse: "cats")]
            ),
            .named("Owner", [], .many("cats", "Cat", inverse: "owner"), .one("darling", "Cat"))
        )
        try store.load("Animal", #"[{"id": 1}]"#)
        for _ in 1...2 {
            try store.load("Owner", #"[{"id": 1, "cats": [{"id": 1}], "darling": {"id": 1}}]"#)
            try expect(
                table(of: store, "Animal", "Owner"),
                is: """
                    Animal
                    #  entity  id  lives  owner
                    1  Animal  1

                    Owner
                    #  id  name  cats  darling
                    1  1   -     []    -

                    Unresolved
                    relationship   owner  key  position
                    Owner.cats     1      1    -
                    Owner.darling  1      1    -
                    """
            )
        }
        try store.load("Animal", #"[{"id": 1, "kind": "Cat", "lives": 9}]"#)
        try expect(
            table(of: store, "Cat", "Owner"),
            is: """
                Cat
                #  id  lives  owner
                1  1   9      1

                Owner
                #  id  name  cats  darling
                1  1   -     [1]   1
                """
        )
    }

    @Test func `a row that changes its entity and changes back is counted as updated`() throws {
        let store = try Store.of(
            EntityDescription("A", attributes: [.init("id", .integer64)], discriminator: "type"),
            .named("B", parent: "A")
        )
        try store.load("A", #"[{"id": 1, "type": "A"}]"#)
        try expect(
            store.load(
                "A",
                #"[{"id": 1, "type": "B"}, {"id": 1, "type": "A"}, {"id": 2, "type": "A"}, {"id": 2, "type": "B"}]"#
            ),
            is: """
                A ~1, B +1
                A:1, id: The document has several objects with this key.
                B:2, id: The document has several objects with this key.
                """
        )
    }

    @Test func `an object without a discriminator keeps the entity of its row`() throws {
        let store = try store()
        try store.load("Animal", #"[{"id": 1, "meta": {"kind": "Dog"}, "tricks": 5}]"#)
        try expect(store.load("Animal", #"[{"id": 1, "name": "b"}]"#), is: "Dog ~1")
    }

    @Test func `an export contains the discriminator`() throws {
        let store = try store()
        try store.load("Animal", #"[{"id": 1, "name": "a", "meta": {"kind": "Dog"}}]"#)
        var writer = JSONWriter()
        try store.writer.read { db in
            try Exporter(store).write(db, RecordLocator("Animal:1"), into: &writer)
        }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"id":1,"name":"a","tricks":1,"meta":{"kind":"Dog"}}"#
        )
    }
}
