import Foundation
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkMacros
import TidemarkTestSupport

/// The samples of the article ComingFromCoreData.
struct ComingFromCoreDataTests {
    // snippet.types
    @Entity struct Customer {
        @PrimaryKey var id: Int?
        var name: String?
        @Relationship(inverse: "customer", deleteRule: .cascade) var orders: Many<Order>
    }

    @Entity struct Order {
        @PrimaryKey var id: Int?
        var isPaid = false
        var total: Decimal?
        @Relationship(inverse: "orders") var customer: One<Customer>
    }
    // snippet.end

    // snippet.screen
    @MainActor final class OrderScreen {
        let orders: LiveList<Order>

        init(_ store: Store) {
            orders = LiveList(
                Order.sorted(by: \.id).sections(by: \.isPaid) { $0 == true ? "Paid" : "Open" },
                in: store
            )
        }

        var titles: [String] { orders.rows.sections.map { "\($0.title): \($0.count)" } }
    }
    // snippet.end

    private let console = GuideConsole()

    private func print(_ items: Any...) { console.write(items) }

    /// Returns a folder with a model of two versions.
    private func modelFolder() throws -> Folder {
        let folder = try Folder()
        let bundle = "Shop.xcdatamodeld"
        try folder.write(Self.contents(note: ""), to: "\(bundle)/Shop.xcdatamodel/contents")
        try folder.write(
            Self.contents(note: #"<attribute name="note" optional="YES" attributeType="String"/>"#),
            to: "\(bundle)/Shop 2.xcdatamodel/contents"
        )
        try folder.write(Self.current, to: "\(bundle)/.xccurrentversion")
        return folder
    }

    private func store() throws -> Store {
        let folder = try modelFolder()
        let model = try ModelBundle.model(at: folder.filePath("Shop.xcdatamodeld"))
        return try Store.validated(model: model)
    }

    @Test func `rows are written and fetched`() throws {
        let temporary = try modelFolder()
        let folder = temporary.path
        // snippet.open
        let model = try ModelBundle.model(at: "\(folder)/Shop.xcdatamodeld")
        let store = try Store.open(at: "\(folder)/shop.sqlite", model: model)
        // snippet.end
        _ = store.validated()
        // snippet.write
        let order = try store.write { writer in
            let ada = try writer.insert(Customer(id: 1, name: "Ada"))
            return try writer.insert(Order(id: 7, total: 12.5, customer: One(ada)))
        }
        try store.update(order.rowID) { $0.isPaid = true }
        // snippet.end
        // snippet.fetch
        let request = Order.filter { $0.isPaid && $0.total > 10 && $0.customer.name.hasPrefix("A") }
            .sorted(by: \.id, .descending)
            .including(\.customer)
        let orders = try store.fetch(request)
        for order in orders { print(order.id ?? 0, order.customer.value?.name ?? "-") }  // 7 Ada
        // snippet.end
        // snippet.predicate
        let predicate = try RecordPredicate(
            "total > %@ AND customer.name BEGINSWITH[c] %@",
            .decimal("10"),
            .string("a")
        )
        let same = try store.fetch(Order.all.filter(predicate))
        print(same.compactMap(\.id))  // [7]
        // snippet.end
        #expect(console.lines == ["7 Ada", "[7]"])
    }

    @Test func `a draft keeps what was changed in the store`() throws {
        let store = try store()
        let order = try store.insert(Order(id: 7, isPaid: true, total: 12.5))
        // snippet.draft
        var draft = Draft(order)
        draft.total = 15
        try store.update(order.rowID) { $0.isPaid = false }  // elsewhere in the app
        let outcome = try store.save(draft)
        print(outcome.changed, outcome.changedInStore)  // ["total"] ["isPaid"]
        // snippet.end
        #expect(console.lines == [#"["total"] ["isPaid"]"#])
        #expect(outcome.record.total == 15)
        #expect(outcome.record.isPaid == false)
    }

    @Test func `many rows are changed at once`() throws {
        let store = try store()
        let ada = try store.insert(Customer(id: 1, name: "Ada"))
        try store.insert(Order(id: 7, customer: One(ada)))
        // snippet.batch
        try store.insert(contentsOf: [Customer(id: 2, name: "Ben"), Customer(id: 3, name: "Cleo")])
        let paid = try store.update(Order.filter { !$0.isPaid }) { $0.set(\.isPaid, to: true) }
        let deleted = try store.delete(Customer.filter { $0.name == "Ada" })
        print(paid, deleted["Customer"] ?? 0, deleted["Order"] ?? 0)  // 1 1 1
        // snippet.end
        #expect(console.lines == ["1 1 1"])
        #expect(try store.count(Customer.all) == 2)
    }

    @Test func `the changes of each commit are recorded`() throws {
        let store = try store()
        let order = try store.insert(Order(id: 7))
        // snippet.history
        let changes = try store.changes()
        try store.update(order.rowID) { $0.total = 20 }
        try store.delete(order.rowID)
        var lines: [String] = []
        while let batch = try changes.poll() {
            lines += batch.changes.map { "\($0.kind) \($0.entity) \($0.properties)" }
        }
        print(lines.joined(separator: ", "))  // update Order ["total"], delete Order []
        // snippet.end
        #expect(console.lines == [#"update Order ["total"], delete Order []"#])
    }

    @Test func `each version of a model is migrated to the current one`() throws {
        let folder = try modelFolder()
        let bundle = folder.filePath("Shop.xcdatamodeld")
        let current = try ModelBundle.model(at: bundle)
        var lines: [String] = []
        for version in try ModelBundle.versions(at: bundle) {
            let old = try Store.validated(model: ModelBundle.model(at: bundle, version: version))
            let migration = try old.dryRunMigration(to: current)
            lines.append("\(version): \(migration.rejections.count) \(migration.losesData)")
        }
        #expect(lines == ["Shop: 0 false", "Shop 2: 0 false"])
        #expect(current["Order"]?.attributes.contains { $0.name == "note" } == true)
    }

    private static func contents(note: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Customer">
                <attribute name="id" optional="YES" attributeType="Integer 64"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="orders" optional="YES" toMany="YES" deletionRule="Cascade"
                    destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
            </entity>
            <entity name="Order">
                <attribute name="id" optional="YES" attributeType="Integer 64"/>
                <attribute name="isPaid" attributeType="Boolean" defaultValueString="NO"/>
                <attribute name="total" optional="YES" attributeType="Decimal"/>
                \(note)
                <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>
            </entity>
        </model>
        """
    }

    private static let current = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>Shop 2.xcdatamodel</string>
        </dict></plist>
        """
}

/// The list of the article, whose tests run on the main actor.
@MainActor
@Suite(.timeLimit(.minutes(40)))
struct ComingFromCoreDataListTests {
    private typealias Article = ComingFromCoreDataTests

    @Test func `a live list has the sections of its request`() async throws {
        let model = Model(Article.Customer.self, Article.Order.self)
        let store = try Store.validated(model: model)
        let orders = (7...9).map { Article.Order(id: $0, isPaid: $0 == 8) }
        try await store.insert(contentsOf: orders)
        let screen = Article.OrderScreen(store)
        await Observed.wait { !screen.orders.isLoading }
        #expect(screen.titles == ["Open: 2", "Paid: 1"])
    }
}
