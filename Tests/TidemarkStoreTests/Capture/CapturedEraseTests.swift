import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Erasing a store that records local changes.
struct CapturedEraseTests {
    @Test(arguments: [
        ("UPDATE Note SET text = 'x' WHERE id = 1", "1 local change was not pushed"),
        ("INSERT INTO Note (_entity) VALUES ('Note')", "1 local change was not pushed"),
        ("DELETE FROM Tag", "5 local changes were not pushed"),
    ])
    func `a store with changes is not erased unless they are discarded`(
        _ edit: String,
        _ message: String
    ) throws {
        let store = try Notebook.store()
        try store.run(edit)
        let before = try StoreRows(store).text
        let error = #expect(throws: StoreError.self) { try store.write { try $0.erase() } }
        #expect(error?.code == .unpushedChanges)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        try expect(StoreRows(store).text, is: before)

        try store.write { try $0.erase(unpushedChanges: .discard) }
        try expect(StoreRows(store).text, is: "")
        try expect(store.outbox(), is: "")
    }

    @Test func `erasing deletes nothing at the service, and later rows are local again`() throws {
        let store = try Notebook.store()
        try store.write { try $0.erase() }
        try store.collect()
        try expect(store.outbox(), is: "")
        try store.run("INSERT INTO Tag (id, name) VALUES (1, 'a')")
        try store.collect()
        try expect(store.outbox(), is: "Tag#4 create")
    }
}
