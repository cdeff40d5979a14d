import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Validation of resources against the model and each other.
struct ResourceCheckTests {
    @Test func `a resource for an entity that the model lacks is rejected`() throws {
        let shop = try Bookshop()
        let resource = Service.rest(url: shop.fake.url).resource("Publisher", path: "publishers/")
        let error = #expect(throws: SyncError.self) { try shop.engine([resource]) }
        #expect(error?.code == .unknownEntity)
        #expect(
            error?.description == """
                The resource publishers/ is for Publisher, which the model lacks. It has Author, Book.
                """
        )
        #expect(shop.fake.requests.isEmpty)
    }

    @Test func `two resources with the same path are rejected`() throws {
        let shop = try Bookshop()
        let service = Service.rest(url: shop.fake.url)
        let resources = ["Author", "Book"].map { service.resource($0, path: "books/") }
        let error = #expect(throws: SyncError.self) { try shop.engine(resources) }
        #expect(error?.code == .duplicateResource)
        #expect(
            error?.description == "Two resources have the path books/. Give each its own."
        )
    }

    @Test func `two resources that would delete each other's rows are rejected`() async throws {
        let shop = try Bookshop()
        let service = Service.rest(url: shop.fake.url)
        var lists = ["books/", "books/?page=2"].map { service.resource("Book", path: $0) }
        let error = #expect(throws: SyncError.self) { try shop.engine(lists) }
        #expect(error?.code == .conflictingResources)
        #expect(
            error?.description == """
                books/ and books/?page=2 both list rows of Book: each would delete what only the other \
                names. Set “deletes: none” for those that do not list all of its rows.
                """
        )
        #expect(shop.fake.requests.isEmpty)
        lists[1].style.deletes = .none
        for _ in 0..<2 {
            _ = try await shop.engine(lists).pull()
            #expect(try shop.counts() == ["Author": 0, "Book": 7])
        }
    }

    @Test
    func `lists of an entity and its sub-entity are rejected, those of two sub-entities are not`()
        throws
    {
        let animal = EntityDescription("Animal", attributes: [Attribute("id", .integer64)])
        let kinds = ["Dog", "Cat"].map { EntityDescription($0, parent: "Animal", attributes: []) }
        let store = try Store.validated(model: Model(entities: [animal] + kinds))
        let fake = FakeService(collections: [:], dialect: .rest())
        let service = Service.rest(url: fake.url)
        func error(_ entities: String...) -> String? {
            do {
                _ = try SyncEngine(
                    store: store,
                    service: service,
                    resources: entities.map { service.resource($0, path: $0) },
                    transport: fake
                )
                return nil
            } catch {
                return "\(error)".split(separator: ":").first.map(String.init)
            }
        }
        #expect(error("Dog", "Cat") == nil)
        #expect(error("Dog", "Animal") == "Dog and Animal both list rows of Dog")
        #expect(error("Animal", "Cat") == "Animal and Cat both list rows of Cat")
    }
}
