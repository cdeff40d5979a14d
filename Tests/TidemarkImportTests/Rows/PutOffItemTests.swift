import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Items that wait for a unique value, and what the document or its pages say of them later.
struct PutOffItemTests {
    private func store() throws -> Store {
        let store = try Store.watched(
            model: Model(entities: [
                Entity(
                    "User",
                    attributes: [
                        .init("id", .integer64), .init("email", .string), .init("name", .string),
                    ],
                    uniquenessConstraints: [["email"]]
                )
            ])
        )
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        return store
    }

    @Test func `what a later page says of an item that waits is what its row has in the end`()
        throws
    {
        let store = try store()
        let reports = try store.walk(
            "User",
            #"[{"id": 1, "email": "b", "name": "OLD"}]"#,
            #"[{"id": 1, "email": "c", "name": "NEW"}]"#,
            #"[{"id": 2, "email": "d", "name": "two"}]"#
        )
        #expect(reports == ["nothing", "User ~1", "User ~1", "nothing"])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  email  name
                1  1   c      NEW
                2  2   d      two
                """
        )
    }
}

extension Store {
    /// Imports a list page by page, and returns a report for each and one for the end.
    fileprivate func walk(_ entity: String, _ pages: String...) throws -> [String] {
        let importer = Importer(self)
        let walk = Walk("list", into: entity)
        try writer.write { db in try importer.begin(db, walk) }
        let reports = try pages.map { page in
            var items = try JSONDocument(Array(page.utf8)).items()
            return try writer.write { db in try importer.apply(db, &items, of: walk).text }
        }
        let last = try writer.write { db in try importer.finish(db, walk).text }
        return reports + [last]
    }
}
