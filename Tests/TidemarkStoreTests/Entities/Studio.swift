import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Record types with every kind of property, written by hand.
enum Studio {
    static let model = Model(Person.self, Note.self, Company.self, Team.self, Badge.self)

    /// Returns a store of two companies, four people, five notes and two teams.
    static func store() throws -> Store {
        let store = try Store.validated(model: model)
        try fill(store)
        return store
    }

    static func fill(_ store: Store) throws {
        try store.insert("Company", ["code": "A", "name": "Acme"])
        try store.insert(
            "Company",
            ["code": "B", "name": "Bäckerei"],
            links: ["parent": ["Company:A"]]
        )
        try store.insert("Team", ["name": "red"])
        try store.insert("Team", ["name": "blue"])
        try store.insert(
            "Person",
            [
                "id": 1, "name": "Ada", "age": 36, "pay": .decimal("1000.5"), "height": 1.5,
                "isActive": .boolean(true), "bornAt": .date(0), "status": "away",
                "address": .json(#"{"city":"London"}"#),
            ],
            links: ["company": ["Company:A"], "teams": ["Team#1", "Team#2"]]
        )
        try store.insert(
            "Person",
            [
                "id": 2, "name": "ben", "age": 20, "pay": .decimal("9.25"),
                "isActive": .boolean(false),
            ],
            links: ["company": ["Company:B"], "boss": ["Person:1"], "teams": ["Team#2"]]
        )
        try store.insert(
            "Person",
            ["id": 3, "name": "Émile", "age": 36, "isActive": .boolean(true)],
            links: ["boss": ["Person:1"]]
        )
        try store.insert("Person", ["id": 4, "name": "Zoe"], links: ["company": ["Company:A"]])
        for (number, (owner, text)) in [
            (1, "tea"), (1, "TEA"), (2, "milk"), (3, "Émile"), (1, "ink"),
        ]
        .enumerated() {
            try store.insert(
                "Note",
                ["text": .string(text), "isDone": .boolean(number % 2 == 1)],
                links: ["person": ["Person:\(owner)"]]
            )
        }
        try store.insert("Badge", ["number": 7], links: ["owner": ["Person:2"]])
    }
}

struct Person: EntityRecord, Hashable {
    enum Status: String, AttributeValue { case active, away }
    struct Address: Codable, Hashable, Sendable { var city: String }

    var rowID = RowID<Person>.unsaved
    var id: Int?
    var name: String
    var age: Int?
    var pay: Decimal?
    var height: Double?
    var isActive: Bool
    var bornAt: Date?
    var status: Status
    var address: Address?
    var company: One<Company>
    var boss: One<Person>
    var badge: One<Badge>
    var team = Many<Person>.unloaded
    var notes = Many<Note>.unloaded
    var teams = Many<Team>.unloaded

    static let entityName = "Person"
    static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Attribute("age", .integer16)
        Attribute("pay", .decimal)
        Attribute("height", .double)
        Attribute("isActive", .boolean, isOptional: false, defaultValue: .boolean(true))
        Attribute("bornAt", .date)
        Attribute("status", .string, defaultValue: .string("active"))
        Attribute("address", .json)
        Relationship("company", to: Company.entityName, inverse: "people")
        Relationship("boss", to: entityName, inverse: "team")
        Relationship("badge", to: Badge.entityName, inverse: "owner")
        Relationship("team", to: entityName, isToMany: true, inverse: "boss")
        Relationship(
            "notes",
            to: Note.entityName,
            isToMany: true,
            isOrdered: true,
            inverse: "person"
        )
        Relationship("teams", to: Team.entityName, isToMany: true, inverse: "members")
    }

    struct Properties: EntityProperties {
        typealias Record = Person
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var rowID: RowExpression<Person> { RowExpression(path) }
        var id: AttributeExpression<Int> { path.attribute("id") }
        var name: AttributeExpression<String> { path.attribute("name") }
        var age: AttributeExpression<Int> { path.attribute("age") }
        var pay: AttributeExpression<Decimal> { path.attribute("pay") }
        var height: AttributeExpression<Double> { path.attribute("height") }
        var isActive: AttributeExpression<Bool> { path.attribute("isActive") }
        var bornAt: AttributeExpression<Date> { path.attribute("bornAt") }
        var status: AttributeExpression<Status> { path.attribute("status") }
        var address: DocumentExpression { path.document("address") }
        var company: ToOneExpression<Person, Company> { path.one("company", \.company) }
        var boss: ToOneExpression<Person, Person> { path.one("boss", \.boss) }
        var badge: ToOneExpression<Person, Badge> { path.one("badge", \.badge) }
        var team: ToManyExpression<Person, Person> { path.many("team", \.team) }
        var notes: ToManyExpression<Person, Note> { path.many("notes", \.notes) }
        var teams: ToManyExpression<Person, Team> { path.many("teams", \.teams) }
    }

    init(_ name: String, id: Int? = nil) {
        self.id = id
        self.name = name
        isActive = true
        status = .active
        company = nil
        boss = nil
        badge = nil
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        name = try row[1, "name"]
        age = row[2, "age"]
        pay = row[3, "pay"]
        height = row[4, "height"]
        isActive = row[5, "isActive", default: true]
        bornAt = row[6, "bornAt"]
        status = row[7, "status", default: .active]
        address = row.document(8, "address")
        company = row.one(9, "company")
        boss = row.one(10, "boss")
        badge = row.one(11, "badge")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
        row.set("age", age)
        row.set("pay", pay)
        row.set("height", height)
        row.set("isActive", isActive)
        row.set("bornAt", bornAt)
        row.set("status", status)
        try row.set("address", document: address)
        row.set("company", company)
        row.set("boss", boss)
        row.set("badge", badge)
    }
}

struct Note: EntityRecord, Hashable {
    var rowID = RowID<Note>.unsaved
    var text: String
    var isDone: Bool
    var person: One<Person>

    static let entityName = "Note"
    static let entity = EntityDescription(entityName) {
        Attribute("text", .string, isOptional: false)
        Attribute("isDone", .boolean, defaultValue: .boolean(false))
        Relationship("person", to: Person.entityName, inverse: "notes")
    }

    struct Properties: EntityProperties {
        typealias Record = Note
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var rowID: RowExpression<Note> { RowExpression(path) }
        var text: AttributeExpression<String> { path.attribute("text") }
        var isDone: AttributeExpression<Bool> { path.attribute("isDone") }
        var person: ToOneExpression<Note, Person> { path.one("person", \.person) }
    }

    init(_ text: String, person: One<Person> = nil) {
        self.text = text
        isDone = false
        self.person = person
    }

    init(from row: EntityRow) throws {
        text = try row[0, "text"]
        isDone = row[1, "isDone", default: false]
        person = row.one(2, "person")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("text", text)
        row.set("isDone", isDone)
        row.set("person", person)
    }
}

struct Company: EntityRecord, Hashable {
    var rowID = RowID<Company>.unsaved
    var code: String
    var name: String?
    var parent: One<Company>
    var people = Many<Person>.unloaded

    static let entityName = "Company"
    static let entity = EntityDescription(entityName, primaryKey: ["code"]) {
        Attribute("code", .string)
        Attribute("name", .string)
        Relationship("parent", to: entityName, inverse: "subsidiaries")
        Relationship("subsidiaries", to: entityName, isToMany: true, inverse: "parent")
        Relationship("people", to: Person.entityName, isToMany: true, inverse: "company")
    }

    struct Properties: EntityProperties {
        typealias Record = Company
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var code: AttributeExpression<String> { path.attribute("code") }
        var name: AttributeExpression<String> { path.attribute("name") }
        var parent: ToOneExpression<Company, Company> { path.one("parent", \.parent) }
        var people: ToManyExpression<Company, Person> { path.many("people", \.people) }
    }

    init(code: String) {
        self.code = code
        parent = nil
    }

    init(from row: EntityRow) throws {
        code = try row[0, "code"]
        name = row[1, "name"]
        parent = row.one(2, "parent")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("code", code)
        row.set("name", name)
        row.set("parent", parent)
    }
}

struct Team: EntityRecord, Hashable {
    var rowID = RowID<Team>.unsaved
    var name: String
    var members = Many<Person>.unloaded

    static let entityName = "Team"
    static let entity = EntityDescription(entityName) {
        Attribute("name", .string, isOptional: false)
        Relationship("members", to: Person.entityName, isToMany: true, inverse: "teams")
    }

    struct Properties: EntityProperties {
        typealias Record = Team
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
        var members: ToManyExpression<Team, Person> { path.many("members", \.members) }
    }

    init(name: String) { self.name = name }

    init(from row: EntityRow) throws { name = try row[0, "name"] }

    func encode(to row: inout EncodedRow) throws { row.set("name", name) }
}

struct Badge: EntityRecord, Hashable {
    var rowID = RowID<Badge>.unsaved
    var number: Int
    var owner: One<Person>

    static let entityName = "Badge"
    static let entity = EntityDescription(entityName, primaryKey: ["number"]) {
        Attribute("number", .integer32)
        Relationship("owner", to: Person.entityName, inverse: "badge")
    }

    struct Properties: EntityProperties {
        typealias Record = Badge
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var number: AttributeExpression<Int> { path.attribute("number") }
        var owner: ToOneExpression<Badge, Person> { path.one("owner", \.owner) }
    }

    init(from row: EntityRow) throws {
        number = try row[0, "number"]
        owner = row.one(1, "owner")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("number", number)
        row.set("owner", owner)
    }
}
