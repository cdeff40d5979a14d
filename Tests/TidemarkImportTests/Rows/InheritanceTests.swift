import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports into entities that inherit from another entity.
struct InheritanceTests {
    private func store() throws -> Store {
        try .of(
            .named("Vehicle", [], .one("owner", "Owner", inverse: "vehicles")),
            .named("Car", parent: "Vehicle", [Attribute("doors", .integer16)]),
            .named("Truck", parent: "Vehicle", [Attribute("load", .double, isOptional: false)]),
            .named(
                "Owner",
                [],
                .many("vehicles", "Vehicle", inverse: "owner"),
                .one("truck", "Truck")
            )
        )
    }

    @Test func `an import inserts no rows of an abstract entity`() throws {
        let store = try Store.of(
            EntityDescription(
                "Shape",
                isAbstract: true,
                attributes: [.init("id", .integer64)],
                identity: .shared
            ),
            EntityDescription("Circle", parent: "Shape")
        )
        try expect(
            store.load("Shape", #"[{"id": 1}]"#),
            is: """
                Shape !1
                Shape:1: The entity is abstract: no row can be of it.
                """
        )
        try store.load("Circle", #"[{"id": 1}]"#)
        try expect(store.load("Shape", #"[{"id": 1}]"#), is: "Circle =1")
    }

    @Test func `an import into a sub-entity deletes only its own rows`() throws {
        let store = try store()
        try store.load("Car", #"[{"id": 1, "doors": 4}, {"id": 2}]"#)
        try store.load("Truck", #"[{"id": 3, "load": 7.5}, {"id": 4}]"#)
        try expect(store.load("Car", #"[{"id": 2, "doors": 2}]"#), is: "Car ~1 -1")
        try expect(store.load("Vehicle", #"[{"id": 2, "name": "a"}]"#), is: "Car ~1, Truck -1")
        try expect(
            table(of: store, "Vehicle"),
            is: """
                Vehicle
                #  entity  id  name  doors  load  owner
                2  Car     2   a     2            -
                """
        )
    }

    @Test func `a row that changes its entity keeps its number and is counted for both entities`()
        throws
    {
        let store = try store()
        try store.load("Car", #"[{"id": 1, "name": "a", "doors": 4}, {"id": 2}]"#)
        try store.load("Owner", #"[{"id": 1, "truck_id": 1, "vehicle_ids": [1]}]"#)
        try expect(
            store.load("Truck", #"[{"id": 1, "load": null}]"#),
            is: """
                Truck !1
                Truck:1, load: An update may not clear it.
                """
        )
        try expect(store.load("Car", #"[{"id": 1}, {"id": 2}]"#), is: "Car =2")
        try expect(
            store.load("Truck", #"[{"id": 1, "load": 7}]"#),
            is: "Car -1, Owner ~1, Truck +1"
        )
        try expect(
            table(of: store),
            is: """
                Vehicle
                #  entity  id  name  doors  load  owner
                1  Truck   1   a            7.0   1
                2  Car     2   -     -            -

                Owner
                #  id  name  vehicles  truck
                1  1   -     [1]       1
                """
        )
        try expect(
            store.load("Car", #"[{"id": 1}, {"id": 2}]"#),
            is: "Car +1 =1, Owner ~1, Truck -1"
        )
    }

    /// The list names a row that is deleted afterwards, as an object of another entity.
    @Test func `a list keeps the key of a row that moves from one entity's list to another's`()
        throws
    {
        let store = try Store.of(
            EntityDescription(
                "Event",
                isAbstract: true,
                attributes: [.init("id", .integer64)],
                relationships: [.one("twin", "Concert", inverse: "copies")],
                identity: .shared
            ),
            EntityDescription(
                "Concert",
                parent: "Event",
                relationships: [.many("copies", "Event", inverse: "twin")]
            ),
            EntityDescription("Talk", parent: "Event")
        )
        try store.load("Concert", #"[{"id": 4}]"#)
        try store.load("Concert", #"[{"id": 5, "copy_ids": [4]}]"#)
        try expect(
            table(of: store, "Concert"),
            is: """
                Concert
                #  id  twin  copies
                2  5   -     []

                Unresolved
                relationship    owner  key  position
                Concert.copies  5      4    -
                """
        )
        try store.load("Talk", #"[{"id": 4}]"#)
        try expect(
            table(of: store, "Concert", "Talk"),
            is: """
                Concert
                #  id  twin  copies
                2  5   -     [4]

                Talk
                #  id  twin
                3  4   5
                """
        )
    }

    @Test func `an object is not linked after a nested one has moved its row to another entity`()
        throws
    {
        let store = try Store.of(
            .named("Event", [], .many("branches", "Tall", inverse: "trunks")),
            .named(
                "Small",
                parent: "Event",
                [],
                .many("parts", "Small", inverse: "wholes"),
                .many("wholes", "Small", inverse: "parts")
            ),
            .named("Tall", parent: "Event", [], .many("trunks", "Event", inverse: "branches"))
        )
        try expect(
            store.load(
                "Small",
                #"[{"id": 1, "parts": [{"id": 2, "branches": [{"id": 1}]}, {"id": 3}]}]"#
            ),
            is: "Small +2, Tall +1"
        )
        try expect(
            table(of: store),
            is: """
                Event
                #  entity  id  name  branches  parts  wholes  trunks
                1  Tall    1   -     []                       [2]
                2  Small   2   -     [1]       []     []
                3  Small   3   -     []        []     []

                Unresolved
                relationship  owner  key  position
                Small.wholes  2      1    -
                Small.wholes  3      1    -
                """
        )
    }

    @Test func `an object is not linked to itself as an object of another entity`() throws {
        let store = try Store.of(
            .named("Device", []),
            .named("Small", parent: "Device", [], .one("twin", "Tall", inverse: "keeper")),
            .named("Tall", parent: "Device", [], .one("keeper", "Small", inverse: "twin"))
        )
        try expect(
            store.load("Small", #"[{"id": 1, "twin": {"id": 1}}]"#),
            is: "Small +1"
        )
        try expect(
            table(of: store),
            is: """
                Device
                #  entity  id  name  twin  keeper
                1  Small   1   -     -

                Unresolved
                relationship  owner  key  position
                Small.twin    1      1    -
                """
        )
    }
}
