import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct StoreDifferencesTests {
    private static func library() throws -> Store {
        let store = try Store.of(
            .named(
                "Book",
                [],
                .one("shelf", "Shelf", inverse: "books"),
                .many("tags", "Tag", inverse: "books")
            ),
            .named("Shelf", [], .many("books", "Book", inverse: "shelf", isOrdered: true)),
            .named("Tag", [], .many("books", "Book", inverse: "tags")),
            .named("Novel", parent: "Book")
        )
        for id in 1...3 as ClosedRange<Int64> {
            try store.insert("Shelf", ["id": .integer(id)])
            try store.insert("Tag", ["id": .integer(id)])
            try store.insert("Book", ["id": .integer(id), "name": .string("b\(id)")])
        }
        try store.insert("Novel", ["id": .integer(4), "name": .string("n4")])
        try store.update("Shelf:1", links: ["books": ["Book:1", "Book:2"]])
        try store.update("Book:1", links: ["tags": ["Tag:1"]])
        return store
    }

    /// Returns the rows that differ, one per line.
    private static func lines(_ store: Store, _ copy: Store, limit: Int = 100) throws -> [String] {
        try store.differences(from: copy, limit: limit).rows.map { row in
            let side = row.stored == nil ? "there" : row.other == nil ? "here" : "both"
            return "\(row.row) \(side) \(row.properties.joined(separator: " "))"
        }
    }

    @Test func `a copy does not differ from its store`() throws {
        let store = try Self.library()
        #expect(try store.differences(from: store.temporaryCopy()).isEmpty)
    }

    @Test func `a store does not differ from itself`() throws {
        let store = try Self.library()
        #expect(try store.differences(from: store).isEmpty)
        let migrated = try store.migrate(
            to: Model(entities: store.model.entities + [.named("Page")])
        )
        #expect(throws: StoreError.self) { try store.differences(from: store) }
        #expect(throws: StoreError.self) { try migrated.differences(from: store) }
        #expect(try migrated.differences(from: migrated).isEmpty)
    }

    @Test func `a link that was removed and added again is not a difference`() throws {
        let store = try Self.library()
        try store.update("Book:2", links: ["tags": ["Tag:2"]])
        let copy = try store.temporaryCopy()
        try copy.update("Book:1", links: ["tags": []])
        try copy.update("Book:1", links: ["tags": ["Tag:1"]])
        #expect(try store.differences(from: copy).isEmpty)
    }

    @Test func `reports rows that only one store has, and rows with different values`() throws {
        let store = try Self.library()
        let copy = try store.temporaryCopy()
        try copy.insert("Tag", ["id": .integer(9)])
        try copy.update("Book:2", ["name": .string("other")])
        try copy.update("Novel:4", ["name": .null])
        try copy.delete("Shelf:3")
        #expect(
            try Self.lines(store, copy) == [
                "Book#2 both name", "Novel#4 both name", "Shelf#3 here ", "Tag#4 there ",
            ]
        )
        let differences = try store.differences(from: copy)
        #expect(differences.count == 4)
        #expect(differences.counts["Shelf"]?.onlyStored == 1)
        #expect(differences.counts["Tag"]?.onlyOther == 1)
        #expect(differences.counts["Book"]?.differing == 1)
        #expect(differences.rows[0].stored?["name"] == .string("b2"))
        #expect(differences.rows[0].other?["name"] == .string("other"))
    }

    @Test func `reports a different order, and links on the side that stores them`() throws {
        let store = try Self.library()
        let copy = try store.temporaryCopy()
        try copy.update("Book:3", links: ["shelf": ["Shelf:2"]])
        try copy.update("Shelf:1", links: ["books": ["Book:2", "Book:1"]])
        try copy.update("Book:1", links: ["tags": ["Tag:2"]])
        #expect(
            try Self.lines(store, copy) == [
                "Book#1 both shelf tags", "Book#2 both shelf", "Book#3 both shelf",
                "Tag#1 both books", "Tag#2 both books",
            ]
        )
    }

    @Test func `reports no more rows than the limit, and the count of all`() throws {
        let store = try Self.library()
        let copy = try store.temporaryCopy()
        for id in 1...3 { try copy.delete("Tag:\(id)") }
        let differences = try store.differences(from: copy, limit: 1)
        #expect(differences.rows.map(\.row.description) == ["Book#1"])
        #expect(differences.count == 4)
    }

    @Test func `stores of different models cannot be compared`() throws {
        let store = try Self.library()
        let copy = try store.temporaryCopy()
        _ = try copy.migrate(to: Model(entities: [.named("Book")]))
        #expect(throws: StoreError.self) { try store.differences(from: copy) }
    }
}
