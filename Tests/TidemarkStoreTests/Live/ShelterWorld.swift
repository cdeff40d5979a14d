import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Entities that inherit: rows that become those of another entity appear and disappear.
protocol ShelterWorld: LiveWorld {}

extension ShelterWorld {
    static func model(_ chance: inout Chance) -> Model {
        Model(Animal.self, Cat.self, Dog.self, Owner.self).varied(&chance)
    }

    static func fill(_ store: Store) throws {
        try store.write { writer in
            let owners = try ["Ada", "Ben"].map { name in try writer.insert(Owner(name)) }
            for number in 1...3 {
                var cat = Cat(id: number)
                cat.owner = One(owners[number % 2].rowID)
                cat.friend = One(owners[0].rowID)
                try writer.insert(cat)
                var dog = Dog(id: number + 3)
                dog.owner = One(owners[1].rowID)
                try writer.insert(dog)
            }
        }
    }

    static func write(_ writer: StoreWriter, _ chance: inout Chance) throws {
        let owner = try writer.rowIDs(Owner.all).first
        let cats = try writer.rowIDs(Cat.all)
        switch chance.number(0...6) {
        case 0:
            var cat = Cat(id: nil)
            cat.owner = One(owner)
            try writer.insert(cat)
        case 1: try writer.insert(Dog(id: nil))
        case 2...3:
            guard !cats.isEmpty else { return }
            try writer.update(chance.pick(cats)) { cat in
                cat.name = chance.pick(["a", "b", "c"])
                cat.lives = chance.number(2...5)
                cat.friend = One(chance.happens(50) ? owner : nil)
            }
        case 4: if !cats.isEmpty, chance.happens(40) { try writer.delete(chance.pick(cats)) }
        case 5: if let owner { try writer.update(owner) { $0.name = chance.pick(["a", "b"]) } }
        default:
            guard let owner else { return }
            let animals = try writer.rowIDs(Animal.all)
            try writer.setLinks(\.animals, of: owner, to: chance.shuffled(animals).suffix(3))
        }
    }

    static func statement(_ chance: inout Chance) -> (String, StatementArguments) {
        let number = chance.number(1...8)
        return chance.pick([
            (
                "UPDATE Animal SET _entity = 'Dog', lives = NULL, friend = NULL WHERE _id = ? "
                    + "AND _entity = 'Cat'", [number]
            ),
            (
                "UPDATE Animal SET _entity = 'Cat', tricks = NULL WHERE _id = ? "
                    + "AND _entity = 'Dog'", [number]
            ),
            ("UPDATE Animal SET name = ? WHERE _id = ?", ["n\(number)", number]),
            ("UPDATE Animal SET owner = NULL WHERE _id = ?", [number]),
            ("DELETE FROM Animal WHERE _id = ?", [number]),
            ("UPDATE Owner SET name = ? WHERE _id = 2", ["o\(number)"]),
        ])
    }

    /// A row that is an object of another entity in a document becomes one of it.
    static func document(_ chance: inout Chance) -> (entity: String, text: String) {
        let objects = (0..<chance.number(1...3)).map { _ in
            #"{"id": \#(chance.number(1...7)), "name": "i\#(chance.number(1...9))"}"#
        }
        return (chance.pick(["Cat", "Dog"]), "[\(objects.joined(separator: ", "))]")
    }
}

/// Requests of the entity that others inherit from.
enum AnimalsOfShelter: ShelterWorld {
    static func request(_ chance: inout Chance) -> LiveRequest<Animal> {
        var request = LiveRequest<Animal>()
        request.apply(
            [
                ("all", { $0 }), ("owned", { $0.filter { $0.owner != nil } }),
                ("of friends", { $0.filter { $0.owner.friends.contains { $0.lives > 2 } } }),
                ("named", { $0.filter { $0.name > "b" } }),
            ],
            &chance
        )
        request.apply(
            [
                ("unsorted", { $0 }), ("by name", { $0.sorted(by: \.name) }),
                ("by owner", { $0.sorted(by: \.owner.name, .descending) }),
                ("with owner", { $0.including(\.owner) { $0.counting(\.friends) } }),
            ],
            &chance
        )
        return request
    }
}

/// Requests of an entity that inherits, which rows join and leave.
enum CatsOfShelter: ShelterWorld {
    static func request(_ chance: inout Chance) -> LiveRequest<Cat> {
        var request = LiveRequest<Cat>()
        request.apply(
            [
                ("all", { $0 }), ("befriended", { $0.filter { $0.friend != nil } }),
                ("of owners", { $0.filter { $0.owner.animals.count > 2 } }),
                ("with lives", { $0.filter { $0.lives >= 3 } }),
            ],
            &chance
        )
        request.apply(
            [
                ("unsorted", { $0 }), ("by lives", { $0.sorted(by: \.lives, .descending) }),
                ("by friend", { $0.sorted(by: \.friend.name) }),
                ("with friend", { $0.including(\.friend) { $0.including(\.animals) } }),
            ],
            &chance
        )
        return request
    }
}

struct Animal: EntityRecord, Hashable {
    var rowID = RowID<Animal>.unsaved
    var id: Int?
    var name: String?
    var owner: One<Owner>

    static let entityName = "Animal"
    static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string)
        Relationship("owner", to: Owner.entityName, inverse: "animals")
    }

    struct Properties: EntityProperties {
        typealias Record = Animal
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
        var owner: ToOneExpression<Animal, Owner> { path.one("owner", \.owner) }
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        name = row[1, "name"]
        owner = row.one(2, "owner")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
        row.set("owner", owner)
    }
}

struct Cat: EntityRecord, Hashable {
    var rowID = RowID<Cat>.unsaved
    var id: Int?
    var name: String?
    var lives: Int?
    var owner = One<Owner>.none
    var friend = One<Owner>.none

    init(id: Int?) { self.id = id }

    static let entityName = "Cat"
    static let entity = EntityDescription(entityName, parent: Animal.entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string)
        Attribute("lives", .integer64)
        Relationship("owner", to: Owner.entityName, inverse: "animals")
        Relationship("friend", to: Owner.entityName, inverse: "friends")
    }

    struct Properties: EntityProperties {
        typealias Record = Cat
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var lives: AttributeExpression<Int> { path.attribute("lives") }
        var owner: ToOneExpression<Cat, Owner> { path.one("owner", \.owner) }
        var friend: ToOneExpression<Cat, Owner> { path.one("friend", \.friend) }
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        name = row[1, "name"]
        lives = row[2, "lives"]
        owner = row.one(3, "owner")
        friend = row.one(4, "friend")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
        row.set("lives", lives)
        row.set("owner", owner)
        row.set("friend", friend)
    }
}

struct Dog: EntityRecord, Hashable {
    var rowID = RowID<Dog>.unsaved
    var id: Int?
    var tricks: Int?
    var owner = One<Owner>.none

    init(id: Int?) { self.id = id }

    static let entityName = "Dog"
    static let entity = EntityDescription(entityName, parent: Animal.entityName) {
        Attribute("id", .integer64)
        Attribute("tricks", .integer64)
        Relationship("owner", to: Owner.entityName, inverse: "animals")
    }

    struct Properties: EntityProperties {
        typealias Record = Dog
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        tricks = row[1, "tricks"]
        owner = row.one(2, "owner")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("tricks", tricks)
        row.set("owner", owner)
    }
}

struct Owner: EntityRecord, Hashable {
    var rowID = RowID<Owner>.unsaved
    var name: String
    var animals = Many<Animal>.unloaded
    var friends = Many<Cat>.unloaded

    init(_ name: String) { self.name = name }

    static let entityName = "Owner"
    static let entity = EntityDescription(entityName) {
        Attribute("name", .string, isOptional: false)
        Relationship("animals", to: Animal.entityName, isToMany: true, inverse: "owner")
        Relationship("friends", to: Cat.entityName, isToMany: true, inverse: "friend")
    }

    struct Properties: EntityProperties {
        typealias Record = Owner
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
        var animals: ToManyExpression<Owner, Animal> { path.many("animals", \.animals) }
        var friends: ToManyExpression<Owner, Cat> { path.many("friends", \.friends) }
    }

    init(from row: EntityRow) throws { name = try row[0, "name"] }

    func encode(to row: inout EncodedRow) throws { row.set("name", name) }
}
