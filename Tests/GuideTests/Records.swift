// The imports of “Getting started”, and the records of the other guides.

// snippet.imports
import Foundation
import Tidemark
import TidemarkMacros

// snippet.end

// snippet.records
enum Status: String, AttributeValue { case active, away }

@Entity struct User: Hashable {
    let id: Int
    var name: String
    var bornAt: Date?
    @Attribute(validation: .init(minimum: 0)) var age = 0
    var status: Status = .active
    @Relationship(inverse: "employees") var company: One<Company>
    @Relationship(isOrdered: true, inverse: "user", deleteRule: .cascade) var notes: Many<Note>
}

@Entity struct Note: Hashable {
    var remoteID: Int?
    var text: String
    var isDone = false
    @Relationship(inverse: "notes") var user: One<User>
}

@Entity struct Company: Hashable {
    @PrimaryKey var code: String
    var name: String
    @Relationship(inverse: "company", deleteRule: .deny) var employees: Many<User>
}
// snippet.end
