import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// A typed record of nine attributes and a link.
struct User: EntityRecord, Hashable {
    var rowID = RowID<User>.unsaved
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var bornAt: Date?
    var city: String?
    var note: String?
    var company: One<Company>

    init(number: Int) {
        id = number
        name = "User \(number % 977) \(number)"
        email = "user\(number)@example.com"
        age = number % 80
        score = Double(number % 1_000) / 8
        isActive = number % 3 != 0
        bornAt = Date(timeIntervalSince1970: Double(number % 10_000) * 86_400)
        city = number % 5 == 0 ? nil : "City \(number % 97)"
        note = number % 2 == 0 ? nil : "A note about number \(number)"
        company = One(RowID(Int64(number % Company.count + 1)))
    }

    static let entityName = "User"
    static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Attribute("email", .string, isOptional: false)
        Attribute("age", .integer64, isOptional: false)
        Attribute("score", .double, isOptional: false)
        Attribute("isActive", .boolean, isOptional: false)
        Attribute("bornAt", .date)
        Attribute("city", .string)
        Attribute("note", .string)
        Relationship("company", to: Company.entityName, inverse: "users")
    }

    struct Properties: EntityProperties {
        typealias Record = User
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
        var age: AttributeExpression<Int> { path.attribute("age") }
        var city: AttributeExpression<String> { path.attribute("city") }
        var company: ToOneExpression<User, Company> { path.one("company", \.company) }
    }

    init(from row: EntityRow) throws {
        id = try row[0, "id"]
        name = try row[1, "name"]
        email = try row[2, "email"]
        age = try row[3, "age"]
        score = try row[4, "score"]
        isActive = try row[5, "isActive"]
        bornAt = row[6, "bornAt"]
        city = row[7, "city"]
        note = row[8, "note"]
        company = row.one(9, "company")
    }

    func encode(to row: inout EncodedRow) throws {
        row.set("id", id)
        row.set("name", name)
        row.set("email", email)
        row.set("age", age)
        row.set("score", score)
        row.set("isActive", isActive)
        row.set("bornAt", bornAt)
        row.set("city", city)
        row.set("note", note)
        row.set("company", company)
    }
}

/// The company that users belong to.
struct Company: EntityRecord, Hashable {
    /// The number of companies: each has a hundred of a hundred thousand users.
    static let count = 1_000

    var rowID = RowID<Company>.unsaved
    var name: String
    var users = Many<User>.unloaded

    init(name: String) { self.name = name }

    static let entityName = "Company"
    static let entity = EntityDescription(entityName) {
        Attribute("name", .string, isOptional: false)
        Relationship("users", to: User.entityName, isToMany: true, inverse: "company")
    }

    struct Properties: EntityProperties {
        typealias Record = Company
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var name: AttributeExpression<String> { path.attribute("name") }
        var users: ToManyExpression<Company, User> { path.many("users", \.users) }
    }

    init(from row: EntityRow) throws { name = try row[0, "name"] }

    func encode(to row: inout EncodedRow) throws { row.set("name", name) }
}

/// The same row as an app reads it with GRDB, by the index of each column.
struct IndexedUser: FetchableRecord {
    var number: Int64
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var bornAt: Double?
    var city: String?
    var note: String?
    var company: Int64?

    static let columns = "_id, id, name, email, age, score, isActive, bornAt, city, note, company"

    init(row: Row) {
        number = row[0]
        id = row[1]
        name = row[2]
        email = row[3]
        age = row[4]
        score = row[5]
        isActive = row[6]
        bornAt = row[7]
        city = row[8]
        note = row[9]
        company = row[10]
    }
}

/// The same row as an app reads it with GRDB, by the name of each column.
struct NamedUser: FetchableRecord {
    let user: IndexedUser

    init(row: Row) throws {
        user = IndexedUser(
            number: row["_id"],
            id: row["id"],
            name: row["name"],
            email: row["email"],
            age: row["age"],
            score: row["score"],
            isActive: row["isActive"],
            bornAt: row["bornAt"],
            city: row["city"],
            note: row["note"],
            company: row["company"]
        )
    }
}

extension IndexedUser {
    init(
        number: Int64,
        id: Int,
        name: String,
        email: String,
        age: Int,
        score: Double,
        isActive: Bool,
        bornAt: Double?,
        city: String?,
        note: String?,
        company: Int64?
    ) {
        self.number = number
        self.id = id
        self.name = name
        self.email = email
        self.age = age
        self.score = score
        self.isActive = isActive
        self.bornAt = bornAt
        self.city = city
        self.note = note
        self.company = company
    }
}
