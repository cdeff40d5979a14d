import Foundation
import Testing
import TidemarkMacros
import TidemarkTestSupport

/// The types of the macro with a store.
struct ExpandedTypeTests {
    static let model = Model(User.self, Note.self, Company.self, Team.self)

    @Test("the model of the types has every option that the macros specify")
    func model() {
        let expected = Model {
            EntityDescription("User") {
                Attribute("id", .integer64, isOptional: false)
                Attribute("firstName", .string, isOptional: false)
                Attribute("bornAt", .date)
                Attribute("age", .integer64, isOptional: false, defaultValue: .integer(0))
                Attribute(
                    "status",
                    .string,
                    isOptional: false,
                    defaultValue: .string("active"),
                    remoteKey: "profile.status"
                )
                Attribute("address", .json)
                Relationship(
                    "notes",
                    to: "Note",
                    isToMany: true,
                    isOrdered: true,
                    inverse: "user",
                    deleteRule: .cascade
                )
                Relationship("company", to: "Firm", inverse: "employees")
                Relationship("teams", to: "Team", isToMany: true, inverse: "members")
            }
            EntityDescription("Note") {
                Attribute("remoteID", .integer64)
                Attribute("text", .string, isOptional: false)
                Attribute("isDone", .boolean, isOptional: false, defaultValue: .boolean(false))
                Relationship("user", to: "User", inverse: "notes")
            }
            EntityDescription(
                "Firm",
                primaryKey: ["code"],
                uniquenessConstraints: [["country", "code"]],
                fetchIndexes: [
                    FetchIndex("byName", elements: [.init("name")]),
                    FetchIndex("country", elements: [.init("country")]),
                ]
            ) {
                Attribute("code", .string, isOptional: false)
                Attribute("country", .string, isOptional: false)
                Attribute("name", .string)
                Relationship("subsidiaries", to: "Firm", isToMany: true, inverse: "parent")
                Relationship("parent", to: "Firm", inverse: "subsidiaries")
                Relationship("employees", to: "User", isToMany: true, inverse: "company")
            }
            EntityDescription("Team") {
                Attribute("id", .integer64)
                Attribute(
                    "size",
                    .integer16,
                    isOptional: false,
                    defaultValue: .integer(1),
                    validation: .init(minimum: 1)
                )
                Attribute("default", .json)
                Relationship("members", to: "User", isToMany: true, inverse: "teams")
            }
        }
        #expect(Self.model == expected)
    }

    @Test("a record that is read equals the one that was written")
    func roundTrip() throws {
        let store = try Store.validated(model: Self.model)
        let acme = try store.write { try $0.insert(Company(code: "A", country: "GB")) }
        let team = try store.write { try $0.insert(Team(default: #"{"a": [1]}"#)) }
        var ada = User(
            id: 1,
            firstName: "Ada",
            bornAt: Date(timeIntervalSince1970: 0),
            status: .away,
            address: Address(city: "London"),
            company: One(acme),
            isSelected: true
        )
        ada = try store.write { writer in
            let ada = try writer.insert(ada)
            try writer.link(\.teams, of: ada.rowID, to: team.rowID)
            try writer.insert(contentsOf: [Note(text: "tea", user: One(ada))])
            return ada
        }
        let read = try store.fetch(
            User.filter { $0.status == .away && $0.company.code == "A" }
                .including(\.notes).including(\.company).including(\.teams)
        )
        #expect(read.map(\.address?.city) == ["London"])
        #expect(read.map(\.isSelected) == [false])
        #expect(try read.first?.notes.get().map(\.text) == ["tea"])
        #expect(try read.first?.company.get() == acme)
        #expect(try read.first?.teams.get().map(\.default) == [#"{"a":[1]}"#])
    }

    @Test("a struct without a property id is identified by its row number")
    func identity() throws {
        let store = try Store.validated(model: Self.model)
        let note = try store.write { try $0.insert(Note(text: "tea")) }
        #expect(note.id == RowID(1))
        #expect(note.isDone == false)
        #expect(User(id: 7, firstName: "Ada").id == 7)
    }
}
