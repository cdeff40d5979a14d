import GRDB
import Testing
import TidemarkMacros
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A struct with a conformance of its own, a constant, and a document with an initial value.
@Entity struct Profile: Identifiable, Hashable {
    enum Theme: String, Codable { case standard, dark }

    var id: Int
    @Transient let version = 1
    @JSON var theme: Theme = .standard
}

@Entity struct Item: Hashable {
    @PrimaryKey var id: Int?
    @Indexed var title: String
}

/// A struct that repeats all marks of its parent.
@Entity(parent: Item.self) struct Book: Hashable {
    @PrimaryKey var id: Int?
    @Indexed var title: String
    var pages = 0
}

/// Structs that declare what the macro would add.
struct DeclaredConformanceTests {
    @Test func `a struct that is Identifiable already is stored and fetched`() throws {
        let store = try Store.validated(model: Model(Profile.self))
        try store.insert(Profile(id: 1))
        try store.insert(Profile(id: 2, theme: .dark))
        let profiles = try store.fetch(Profile.sorted(by: \.id))
        #expect(profiles.map(\.id) == [1, 2])
        #expect(profiles.map(\.theme) == [.standard, .dark])
        #expect(profiles.map(\.version) == [1, 1])
    }

    @Test func `a struct that repeats the marks of its parent adds no key and no index`() {
        let expected = Model {
            EntityDescription(
                "Item",
                fetchIndexes: [FetchIndex("title", elements: [.init("title")])]
            ) {
                Attribute("id", .integer64)
                Attribute("title", .string, isOptional: false)
            }
            EntityDescription("Book", parent: "Item") {
                Attribute("pages", .integer64, isOptional: false, defaultValue: .integer(0))
            }
        }
        #expect(Model(Item.self, Book.self) == expected)
    }
}
