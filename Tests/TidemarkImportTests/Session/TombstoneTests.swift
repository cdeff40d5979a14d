import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Tombstones: objects of a list that are marked as deleted.
struct TombstoneTests {
    @Test func `a tombstone without a key is reported, and earlier diagnostics are kept`() throws {
        let store = try Store.of(.named("User", [Attribute("age", .integer16)]))
        let importer = Importer(store)
        let session = ImportSession("users", into: "User")
        try store.load("User", #"[{"id": 1}, {"id": 2}]"#)
        var items = try JSONDocument(
            Array(
                """
                [{"id": 3, "age": "x"}, {"deleted": true}, {"id": 1, "deleted": true},
                 {"id": null, "deleted": true}]
                """.utf8
            )
        ).items()
        var format = ItemFormat()
        format.deletionFlag = ["deleted"]
        let report = try store.writer.write { db in
            try importer.begin(db, session)
            return try importer.apply(db, &items, of: session, as: format, within: BatchLimit())
                .report
        }
        expect(
            report.text,
            is: """
                User +1 !2
                User:3, age: The value is not a number.
                User, id: The object has no usable primary key. ×2
                """
        )
        let end = try store.writer.write { db in try importer.finish(db, session).text }
        #expect(end == "User -2")
    }
}
