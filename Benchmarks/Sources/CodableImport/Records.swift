import Foundation
import GRDB

/// A user as the service sends it.
struct RemoteUser: Decodable {
    var id: Int64
    var firstName: String
    var lastName: String
    var email: String
    var age: Int
    var score: Double
    var active: Bool
    var bio: String
    var createdAt: Date
    var updatedAt: Date
    var managerID: Int64?
    var notes: [RemoteNote]

    enum CodingKeys: String, CodingKey {
        case id, email, age, score, active, bio, notes
        case firstName = "first_name"
        case lastName = "last_name"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case managerID = "manager_id"
    }
}

/// A note as the service sends it.
struct RemoteNote: Decodable {
    var id: Int64
    var text: String
    var createdAt: Date
    var updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, text
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

/// A user as it is stored.
struct User: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "User"

    /// The row number.
    var row: Int64?
    var id: Int64
    var firstName: String
    var lastName: String
    var email: String
    var age: Int
    var score: Double
    var active: Bool
    var bio: String
    var createdAt: Date
    var updatedAt: Date
    var manager: Int64?

    enum CodingKeys: String, CodingKey {
        case row = "_id"
        case id, firstName, lastName, email, age, score, active, bio, createdAt, updatedAt, manager
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        row = inserted.rowID
    }

    init(_ remote: RemoteUser, manager: Int64?) {
        id = remote.id
        firstName = remote.firstName
        lastName = remote.lastName
        email = remote.email
        age = remote.age
        score = remote.score
        active = remote.active
        bio = remote.bio
        createdAt = remote.createdAt
        updatedAt = remote.updatedAt
        self.manager = manager
    }
}

/// A note as it is stored.
struct Note: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "Note"

    /// The row number.
    var row: Int64?
    var id: Int64
    var text: String
    var createdAt: Date
    var updatedAt: Date
    var user: Int64?

    enum CodingKeys: String, CodingKey {
        case row = "_id"
        case id, text, createdAt, updatedAt, user
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        row = inserted.rowID
    }

    init(_ remote: RemoteNote, user: Int64?) {
        id = remote.id
        text = remote.text
        createdAt = remote.createdAt
        updatedAt = remote.updatedAt
        self.user = user
    }
}
