import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The limit on embedded objects of an export.
struct ExportLimitTests {
    /// All people are friends of each other, so that the number of paths between them grows with
    /// the factorial of their number.
    @Test func `densely linked rows that exceed the object limit throw`() throws {
        let store = try Store.of(.named("Person", [], .many("friends", "Person")))
        let friends = (1...12).map(String.init).joined(separator: ", ")
        let people = (1...12).map { "{\"id\": \($0), \"friend_ids\": [\(friends)]}" }
        try store.load("Person", "[\(people.joined(separator: ", "))]")
        #expect(try store.export("Person:1").utf8.count < 12 * 12 * 40)
        var limits = Limits()
        limits.exportedObjects = 100
        let error = #expect(throws: ImportError.self) {
            try store.export("Person:1", limits: limits)
        }
        #expect(error?.code == .tooManyObjects)
        #expect(
            error?.description == """
                Person#1 leads to more than 100 embedded objects. Export the keys of linked rows \
                instead, or leave relationships out.
                """
        )
    }

    @Test func `an export may contain as many objects as the limit`() throws {
        let store = try Store.of(.named("Person", [], .one("boss", "Person")))
        try store.load("Person", #"[{"id": 1}, {"id": 2, "boss_id": 1}, {"id": 3, "boss_id": 2}]"#)
        var limits = Limits()
        for (limit, expected) in [
            (3, #"{"id":3,"name":null,"boss":{"id":2,"name":null,"boss":{"id":1,"name":null}}}"#),
            (2, nil),
        ] {
            limits.exportedObjects = limit
            let exporter = Exporter(store, limits: limits)
            let text = try? store.writer.read { db in
                var writer = JSONWriter()
                try exporter.write(db, RecordLocator("Person:3"), into: &writer)
                return String(decoding: writer.bytes, as: UTF8.self)
            }
            #expect(text == expected)
        }
    }
}
