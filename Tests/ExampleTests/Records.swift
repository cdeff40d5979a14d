import Foundation
import Tidemark

// The record types that an example of a documentation comment may use without declaring them.

struct User: EntityRecord {
    var rowID = RowID<User>.unsaved
    var id: Int?
    var name: String
    var age: Int?
    var isActive: Bool
    var company: One<Company>
    var notes = Many<Note>.unloaded

    static let entityName = "User"
    static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Attribute("age", .integer16)
        Attribute("isActive", .boolean)
        Relationship("company", to: Company.entityName)
        Relationship("notes", to: Note.entityName, isToMany: true, inverse: "user")
    }

    struct Properties: EntityProperties {
        typealias Record = User
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var rowID: RowExpression<User> { RowExpression(path) }
        var name: AttributeExpression<String> { path.attribute("name") }
        var age: AttributeExpression<Int> { path.attribute("age") }
        var isActive: AttributeExpression<Bool> { path.attribute("isActive") }
        var company: ToOneExpression<User, Company> { path.one("company", \.company) }
        var notes: ToManyExpression<User, Note> { path.many("notes", \.notes) }
    }

    init(id: Int? = nil, name: String) {
        self.id = id
        self.name = name
        isActive = true
        company = nil
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        name = try row[1, "name"]
        age = row[2, "age"]
        isActive = row[3, "isActive", default: true]
        company = row.one(4, "company")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
        row.set("age", age)
        row.set("isActive", isActive)
        row.set("company", company)
    }
}

struct Note: EntityRecord {
    var rowID = RowID<Note>.unsaved
    var text: String
    var isDone: Bool
    var user: One<User>

    static let entityName = "Note"
    static let entity = EntityDescription(entityName) {
        Attribute("text", .string, isOptional: false)
        Attribute("isDone", .boolean)
        Relationship("user", to: User.entityName, inverse: "notes")
    }

    struct Properties: EntityProperties {
        typealias Record = Note
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var text: AttributeExpression<String> { path.attribute("text") }
        var isDone: AttributeExpression<Bool> { path.attribute("isDone") }
        var user: ToOneExpression<Note, User> { path.one("user", \.user) }
    }

    init(text: String) {
        self.text = text
        isDone = false
        user = nil
    }

    init(from row: EntityRow) throws {
        text = try row[0, "text"]
        isDone = row[1, "isDone", default: false]
        user = row.one(2, "user")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("text", text)
        row.set("isDone", isDone)
        row.set("user", user)
    }
}

struct Film: EntityRecord {
    var rowID = RowID<Film>.unsaved
    var title: String
    var episode: Int?

    static let entityName = "Film"
    static let entity = EntityDescription(entityName) {
        Attribute("title", .string, isOptional: false)
        Attribute("episode", .integer16)
    }

    struct Properties: EntityProperties {
        typealias Record = Film
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var title: AttributeExpression<String> { path.attribute("title") }
        var episode: AttributeExpression<Int> { path.attribute("episode") }
    }

    init(from row: EntityRow) throws {
        title = try row[0, "title"]
        episode = row[1, "episode"]
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("title", title)
        row.set("episode", episode)
    }
}

struct Company: EntityRecord {
    var rowID = RowID<Company>.unsaved
    var name: String?

    static let entityName = "Company"
    static let entity = EntityDescription(entityName) { Attribute("name", .string) }

    struct Properties: EntityProperties {
        typealias Record = Company
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
    }

    init(from row: EntityRow) throws { name = row[0, "name"] }

    func encode(to row: inout EncodedRow) throws { row.set("name", name) }
}
