import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// An observer that counts the commits that modify its region.
private final class Listener: TransactionObserver {
    let region: DatabaseRegion
    private(set) var changes = 0
    private var hasChanged = false

    init(_ region: DatabaseRegion) {
        self.region = region
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        region.isModified(byEventsOfKind: eventKind)
    }

    func databaseDidChange() { hasChanged = true }

    func databaseDidChange(with event: DatabaseEvent) {
        if region.isModified(by: event) { hasChanged = true }
    }

    func databaseDidCommit(_ db: Database) {
        if hasChanged { changes += 1 }
        hasChanged = false
    }

    func databaseDidRollback(_ db: Database) { hasChanged = false }
}

/// Notifications that an import sends to observers of GRDB.
struct ObservationTests {
    @Test func `observers are notified of changed rows, not of dry runs or repeated imports`()
        throws
    {
        let store = try Store.of(
            .named("User", [], .one("company", "Company", inverse: "users")),
            .named("Company", [], .many("users", "User", inverse: "company"))
        )
        let region = try store.writer.read { db in
            try SQLRequest<Row>(sql: "SELECT * FROM Company").databaseRegion(db)
        }
        let listener = Listener(region)
        store.writer.add(transactionObserver: listener)
        let document = #"[{"id": 1, "company": {"id": 5, "name": "five"}}]"#
        var items = try JSONDocument(Array(document.utf8)).items()
        _ = try Importer(store).dryRun(&items, into: "User")
        #expect(listener.changes == 0)
        try store.load("User", document)
        #expect(listener.changes == 1)
        try store.load("User", document)
        #expect(listener.changes == 1)
        try store.load("User", #"[{"id": 1, "name": "Ada"}]"#)
        #expect(listener.changes == 1)
        try store.load("Company", #"[{"id": 5, "name": "six"}]"#)
        #expect(listener.changes == 2)
    }
}
