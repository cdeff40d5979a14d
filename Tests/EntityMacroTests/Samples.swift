public import Foundation
public import TidemarkMacros

/// Record types with every kind of property, by macro.
enum Status: String, AttributeValue { case active, away }

struct Address: Codable, Hashable, Sendable { var city: String }

@Entity struct User: Hashable {
    let id: Int
    var firstName: String
    var bornAt: Date?
    var age = 0
    @RemoteKey("profile.status") var status: Status = .active
    @JSON var address: Address?
    @Relationship(isOrdered: true, inverse: "user", deleteRule: .cascade) var notes: Many<Note>
    @Relationship(inverse: "employees") var company: One<Company>
    @Relationship(inverse: "members") var teams: Many<Team>
    @Transient var isSelected = false
}

@Entity struct Note: Hashable {
    var remoteID: Int?
    var text: String
    var isDone = false
    @Relationship(inverse: "notes") var user: One<User>
}

@Entity(
    "Firm",
    uniquenessConstraints: [["country", "code"]],
    fetchIndexes: [.init("byName", elements: [.init("name")])]
)
struct Company: Hashable {
    @PrimaryKey var code: String
    @Indexed var country: String
    var name: String?
    @Relationship(inverse: "parent") var subsidiaries: Many<Company>
    @Relationship(inverse: "subsidiaries") var parent: One<Company>
    @Relationship(inverse: "company") var employees: Many<User>
}

@Entity struct Team: Hashable {
    @PrimaryKey var id: Int?
    @Attribute(.integer16, validation: .init(minimum: 1)) var size: Int = 1
    var `default`: JSONText?
    @Relationship(inverse: "teams") var members: Many<User>
}

/// A type that other modules use.
@Entity public struct Label {
    /// The key.
    public let id: UUID
    /// The text.
    public var name: String
    @Indexed var color: String?
}
