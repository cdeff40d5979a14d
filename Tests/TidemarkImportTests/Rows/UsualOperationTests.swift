import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The operations of an import whose options name none.
struct UsualOperationTests {
    private static let first = #"[{"id": 1, "name": "mine"}]"#

    private func report(
        _ library: Library,
        _ json: String,
        into entity: String = "Book",
        scope: ImportScope = .entity,
        _ options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try library.store.report(entity, json, scope: scope, options)
    }

    @Test func `in a store without a service, rows that the document lacks are deleted`() throws {
        let store = try Store.of(.named("Book"))
        try store.load("Book", #"[{"id": 1}, {"id": 2}]"#)
        let report = try store.report("Book", Self.first)
        #expect(report.text == "Book ~1 -1")
        #expect(report.unlistedRowCount == nil)
    }

    @Test func `in a store that pushes, they are kept and counted`() throws {
        let library = try Library()
        let report = try report(library, Self.first)
        #expect(report.text == "Book ~1")
        #expect(report.unlistedRowCount == 1)
        #expect(try library.store.read { try $0.count(RecordRequest("Book")) } == 2)
        let all = try self.report(library, Self.first, ImportOptions(operations: .all))
        #expect(all.text == "Book =1 -1")
        #expect(all.unlistedRowCount == nil)
    }

    @Test func `in a store that belongs to a service, they are kept and counted`() throws {
        let store = try Store.of(.named("Book"))
        try store.load("Book", #"[{"id": 1}, {"id": 2}]"#)
        try store.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE _tidemark_service (_id INTEGER PRIMARY KEY, origin TEXT, account TEXT)
                    """
            )
        }
        // The table alone binds nothing.
        var report = try store.report("Book", #"[{"id": 1}, {"id": 3}]"#)
        #expect(report.text == "Book +1 =1 -1")
        try store.writer.write { db in
            try db.execute(
                sql: "INSERT INTO _tidemark_service VALUES (1, 'https://a.example', NULL)"
            )
        }
        report = try store.report("Book", #"[{"id": 1}]"#)
        #expect(report.text == "Book =1")
        #expect(report.unlistedRowCount == 1)
    }

    @Test func `a document of the service deletes nothing in any store`() throws {
        let store = try Store.of(.named("Book"))
        try store.load("Book", #"[{"id": 1}, {"id": 2}]"#)
        var options = ImportOptions()
        options.origin = .service
        let report = try store.report("Book", #"[{"id": 3}]"#, options)
        #expect(report.text == "Book +1")
        #expect(report.unlistedRowCount == 2)
    }

    @Test func `children that an object lacks are kept as well`() throws {
        let library = try Library()
        _ = try report(
            library,
            #"[{"id": 1, "chapters": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}]"#
        )
        let nested = try report(library, #"[{"id": 1, "chapters": []}]"#)
        #expect(nested.entities["Chapter"]?.deleted ?? 0 == 0)
        #expect(try library.store.read { try $0.count(RecordRequest("Chapter")) } == 2)
        let children = try report(
            library,
            #"[{"id": 1, "name": "c"}]"#,
            into: "Chapter",
            scope: .children(of: try RecordLocator("Book:1"), relationship: nil)
        )
        #expect(children.text == "Chapter ~1")
        #expect(children.unlistedRowCount == 1)
    }

    @Test func `nothing is counted if the document has every row`() throws {
        let library = try Library()
        let report = try report(library, #"[{"id": 1}, {"id": 2}]"#)
        #expect(report.unlistedRowCount == nil)
    }
}
