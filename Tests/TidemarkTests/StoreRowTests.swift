import Foundation
import GRDB
import Testing
import Tidemark
import TidemarkTestSupport

/// The samples in docs/store.md that read and write rows as GRDB records.
struct StoreRowTests {
    private let model = Model {
        EntityDescription("Product") {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
            Attribute("price", .decimal)
            Attribute("isActive", .boolean)
            Attribute("releasedAt", .date)
            Attribute("token", .uuid)
            Attribute("specs", .json)
            Relationship("maker", to: "Maker")
        }
        EntityDescription("Maker") {
            Attribute("id", .integer64)
        }
    }

    @Test func `a record inserts, updates and fetches a row`() async throws {
        let store = try Store.validated(model: model)
        let date = Date(timeIntervalSince1970: 1_463_486_400.5)
        let token = UUID()
        // snippet.use
        var product = try await store.writer.write { db in
            var product = Product(name: "Slide rule", price: 8.5, releasedAt: date, token: token)
            try product.insert(db)
            return product
        }
        product.isActive = false
        try await store.writer.write { [product] db in try product.update(db) }
        let recent = try await store.reader.read { db in
            try Product.filter(Column("releasedAt") > date.timeIntervalSince1970 - 60).fetchAll(db)
        }
        // snippet.end
        #expect(recent.map(\.row) == [1])
        #expect(recent.map(\.price) == [8.5])
        #expect(recent.map(\.releasedAt) == [date])
        #expect(recent.map(\.token) == [token])
        let stored = try await store.reader.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT price || ' ' || isActive || ' ' || releasedAt || ' ' || token \
                    FROM Product
                    """
            )
        }
        #expect(stored == "8.5 0 1463486400.5 \(token.uuidString)")
    }

    @Test func `a record is inserted and fetched without a type`() async throws {
        let store = try Store.validated(model: model)
        // snippet.records
        let wheel = try await store.write { writer in
            let maker = try writer.insert("Maker", values: ["id": .integer(3)])
            return try writer.insert(
                "Product",
                values: ["name": .string("Adding wheel")],
                links: ["maker": [RecordLocator(maker)]]
            )
        }
        let products = try await store.read { reader in
            try reader.fetch(
                RecordRequest("Product", sort: [.init("maker.id"), .init("name", .descending)])
            )
        }
        // snippet.end
        #expect(products.map(\.reference) == [wheel])
    }

    @Test func `a record contains the values that an import stored`() throws {
        let store = try Store.validated(model: model)
        let json = """
            [{"id": 7, "name": "Abacus", "price": "12.20", "is_active": true, \
            "released_at": "2016-05-17T12:00:00.5Z", "token": "5e7d4f5a-6a1b-4c8d-9e0f-123456789abc", \
            "specs": {"rows": 10, "beads": [7, 3]}, "maker": {"id": 3}}]
            """
        var items = try JSONDocument(Array(json.utf8)).items()
        _ = try Importer(store).import(&items, into: "Product")
        let product = try store.reader.read { db in try Product.fetchOne(db) }
        #expect(product?.id == 7)
        #expect(product?.price == Decimal(string: "12.2"))
        #expect(product?.isActive == true)
        #expect(product?.releasedAt == Date(timeIntervalSince1970: 1_463_486_400.5))
        #expect(product?.token == UUID(uuidString: "5E7D4F5A-6A1B-4C8D-9E0F-123456789ABC"))
        #expect(product?.specs == Product.Specs(rows: 10, beads: [7, 3]))
        #expect(product?.maker == 1)
    }
}
