import Foundation
import GuideSupport
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkMacros
import TidemarkTestSupport
import TidemarkTesting

/// The samples of the article ComingFromSDSyncEngine.
struct ComingFromSDSyncEngineTests {
    // snippet.types
    @Entity struct Holiday {
        @PrimaryKey var objectId: String?
        var name: String?
        var date: Date?
        var details: String?
        var wikipediaLink: String?
        @JSON var observedBy: [String]?
        @Attribute(isAsset: true) var image: URL?
        var createdAt: Date?
        var updatedAt: Date?
    }

    @Entity struct Birthday {
        @PrimaryKey var objectId: String?
        var name: String?
        var date: Date?
        var giftIdeas: String?
        var facebook: String?
        @Attribute(isAsset: true) var image: URL?
        var createdAt: Date?
        var updatedAt: Date?
    }
    // snippet.end

    private let console = GuideConsole()
    private let fake: FakeService

    init() {
        fake = FakeService(
            collections: [
                "Holiday": [
                    ["objectId": "h1", "name": "Easter", "observedBy": ["Germany", "Italy"]],
                    ["objectId": "h2", "name": "May Day"],
                ],
                "Birthday": [["objectId": "b1", "name": "Ada"]],
            ],
            dialect: GuideService.parse
        )
    }

    private func print(_ items: Any...) { console.write(items) }

    @Test func `dates are edited offline, and synced`() async throws {
        let temporary = try Folder()
        let bundle = "SignificantDates.xcdatamodeld"
        try temporary.write(Self.contents, to: "\(bundle)/SignificantDates.xcdatamodel/contents")
        let (folder, url, transport) = (temporary.path, fake.url, fake)
        // snippet.model
        var model = try ModelBundle.model(at: "\(folder)/SignificantDates.xcdatamodeld")
        for entity in model.entities.indices {
            model.entities[entity].primaryKey = ["objectId"]
            model.entities[entity].attributes.removeAll { $0.name == "syncStatus" }
            for index in model.entities[entity].attributes.indices {
                switch model.entities[entity].attributes[index].name {
                case "image":
                    model.entities[entity].attributes[index].type = .uri
                    model.entities[entity].attributes[index].json.isAsset = true
                case "observedBy":
                    model.entities[entity].attributes[index].type = .json
                default: break
                }
            }
        }
        let store = try Store.open(at: "\(folder)/dates.sqlite", model: model)
        // snippet.end
        _ = store.validated()
        // snippet.engine
        var service = Service.parseServer(url: url, applicationID: "app", restKey: "key")
        service.push = .parse
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Holiday.self,
            Birthday.self,
            transport: transport
        )
        let report = try await engine.sync()
        print(report[Holiday.self].inserted, report[Birthday.self].inserted)  // 2 1
        // snippet.end
        #expect(console.lines == ["2 1"])
        let observers = try await store.fetch(Holiday.self, key: "h1")?.observedBy
        #expect(observers == ["Germany", "Italy"])
        // snippet.edit
        let eve = try await store.insert(Holiday(name: "New Year"))
        if let easter = try await store.fetch(Holiday.self, key: "h1") {
            try await store.update(easter.rowID) { $0.details = "A Sunday in spring" }
        }
        if let mayDay = try await store.fetch(Holiday.self, key: "h2") {
            try await store.delete(mayDay.rowID)
        }
        let outbox = Outbox(store)
        let left = try await store.read { reader in try outbox.changes(reader.db) }
        for change in left { print(change.row, change.kind, change.state) }
        let pushed = try await engine.sync().pushed.total
        print(pushed.created, pushed.updated, pushed.deleted)  // 1 1 1
        // snippet.end
        #expect(
            console.lines.dropFirst().dropLast().sorted() == [
                "Holiday#1 update pending", "Holiday#2 delete pending", "Holiday#3 create pending",
            ]
        )
        #expect(console.lines.last == "1 1 1")
        #expect(try await store.fetch(eve.rowID)?.objectId?.isEmpty == false)
        #expect(fake["Holiday/h1"]?["details"] == "A Sunday in spring")
        #expect(fake.data[objects: "Holiday"]?.count == 2)
    }

    @Test func `a schedule sends an edit by itself`() async throws {
        let store = try Store.validated(model: Model(Holiday.self, Birthday.self))
        var service = Service.parseServer(url: fake.url)
        service.push = .parse
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Holiday.self,
            Birthday.self,
            transport: fake
        )
        _ = try await engine.pull()
        try await store.update(Holiday.all) { $0.set(\.details, to: "Closed") }
        let events = engine.events()
        // snippet.schedule
        let syncing = Task { try await engine.run(.every(.seconds(300))) }
        // snippet.end
        for await case .finished(let report) in events {
            #expect(report.pushed.total.updated == 2)
            break
        }
        syncing.cancel()
        await #expect(throws: CancellationError.self) { try await syncing.value }
        #expect(fake["Holiday/h1"]?["details"] == "Closed")
    }

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Holiday">
                <attribute name="createdAt" optional="YES" attributeType="Date"/>
                <attribute name="date" optional="YES" attributeType="Date"/>
                <attribute name="details" optional="YES" attributeType="String"/>
                <attribute name="image" optional="YES" attributeType="Binary"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="objectId" optional="YES" attributeType="String"/>
                <attribute name="observedBy" optional="YES" attributeType="Transformable"/>
                <attribute name="syncStatus" optional="YES" attributeType="Integer 16"
                    defaultValueString="0"/>
                <attribute name="updatedAt" optional="YES" attributeType="Date"/>
                <attribute name="wikipediaLink" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Birthday">
                <attribute name="createdAt" optional="YES" attributeType="Date"/>
                <attribute name="date" optional="YES" attributeType="Date"/>
                <attribute name="facebook" optional="YES" attributeType="String"/>
                <attribute name="giftIdeas" optional="YES" attributeType="String"/>
                <attribute name="image" optional="YES" attributeType="Binary"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="objectId" optional="YES" attributeType="String"/>
                <attribute name="syncStatus" optional="YES" attributeType="Integer 16"
                    defaultValueString="0"/>
                <attribute name="updatedAt" optional="YES" attributeType="Date"/>
            </entity>
        </model>
        """
}
