import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Hooks, scopes and transformers by the types of records.
struct TypedImportTests {
    private let store: Store

    init() throws {
        store = try Store.validated(model: Model(Book.self, Novel.self, Chapter.self))
    }

    private func titles() throws -> [String] {
        try store.fetch(Book.sorted(by: \.title)).map(\.title)
    }

    // MARK: Hooks

    @Test func `a hook of a type gets its records, and those that inherit from it`() throws {
        var hooks = ImportHooks()
        hooks.on(
            Book.self,
            didImport: { writer, book, change in
                try writer.insert(Chapter("\(change) \(book.title)", book: One(book)))
            }
        )
        hooks.on(
            Novel.self,
            didImport: { writer, novel, _ in
                try writer.update(novel.rowID) { $0.pages = 100 }
            }
        )
        let importer = Importer(store, hooks: hooks)
        let report = try importer.import(#"[{"id": 1, "title": "a"}]"#, as: Book.self)
        #expect(report.text == "Book +1")
        try importer.import(
            #"[{"id": 2, "title": "b"}]"#,
            as: Novel.self,
            options: ImportOptions(operations: .upsert)
        )
        let chapters = try store.fetch(Chapter.sorted(by: \.title).including(\.book))
        #expect(chapters.map(\.title) == ["insert a", "insert b"])
        #expect(chapters.map { $0.book.value?.title } == ["a", "b"])
        #expect(try store.fetch(Novel.all).map(\.pages) == [100])
    }

    @Test func `hooks of types are called in their order, until one decides`() throws {
        var hooks = ImportHooks()
        hooks.on(
            Novel.self,
            willImport: { _, item in item.node(at: "title")?.string == "b" ? .skip : .keep }
        )
        hooks.on(
            Book.self,
            willImport: { reader, item in
                // The state of the import's own transaction.
                let count = try reader.count(Book.all)
                let id = item.node(at: "id")?.string ?? ""
                let text = #"{"id": \#(id), "title": "\#(count) before"}"#
                return .replace(try JSONDocument(Array(text.utf8)))
            }
        )
        let list = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]"#
        try Importer(store, hooks: hooks).import(list, as: Novel.self)
        #expect(try titles() == ["0 before", "1 before"])
    }

    @Test func `an error of a hook leaves nothing of what it has written`() throws {
        struct Stop: Error {}
        var hooks = ImportHooks()
        hooks.on(
            Book.self,
            didImport: { writer, book, _ in
                try writer.insert(Chapter(book.title, book: One(book)))
                throw Stop()
            }
        )
        let importer = Importer(store, hooks: hooks)
        #expect(throws: Stop.self) {
            try importer.import(#"[{"id": 1, "title": "a"}]"#, as: Book.self)
        }
        #expect(try store.count(Book.all) == 0)
        #expect(try store.count(Chapter.all) == 0)
    }

    // MARK: Scopes

    @Test func `rows outside of a condition are not deleted`() throws {
        try store.import(
            #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]"#,
            as: Book.self
        )
        try store.import(
            #"[{"id": 2, "title": "b"}]"#,
            as: Book.self,
            scope: .rows(of: Book.self) { $0.title >= "b" }
        )
        #expect(try titles() == ["a", "b"])
    }

    @Test func `the children of one parent are replaced`() throws {
        let books = try store.insert(contentsOf: [Book("a"), Book("b")])
        for (book, title) in [(books[0], "one"), (books[0], "two"), (books[1], "three")] {
            try store.insert(Chapter(title, book: One(book)))
        }
        try store.import(
            #"[{"title": "two"}]"#,
            as: Chapter.self,
            scope: .children(of: books[0].rowID, by: \.chapters)
        )
        let chapters = try store.fetch(Chapter.sorted(by: \.title))
        #expect(chapters.map(\.title) == ["three", "two"])
    }

    // MARK: Transformers

    @Test func `a transformer reads and writes the values of a type`() throws {
        let genres = AttributeTransformer(
            Book.Genre.self,
            reading: { node in node.string == "NOVEL" ? .novel : .poem },
            writing: { genre in .string(genre == .novel ? "NOVEL" : "POEM") }
        )
        let transformers = ["genre": genres]
        try Importer(store, transformers: transformers)
            .import(#"[{"id": 1, "title": "a", "genre": "NOVEL"}]"#, as: Book.self)
        #expect(try store.fetch(Book.all).map(\.genre) == [.novel])
        let exported = try store.export("Book", transformers: transformers)
        #expect(exported.contains(#""genre":"NOVEL""#))
        // A value that the type does not have is written unchanged.
        try store.writer.write { db in try db.execute(sql: "UPDATE Book SET genre = 'essay'") }
        let unknown = try store.export("Book", transformers: transformers)
        #expect(unknown.contains(#""genre":"essay""#))
    }
}

private struct Book: EntityRecord {
    enum Genre: String, AttributeValue { case novel, poem }

    var rowID = RowID<Book>.unsaved
    var id: Int?
    var title: String
    var genre: Genre?
    var chapters = Many<Chapter>.unloaded

    init(_ title: String) { self.title = title }

    static let entityName = "Book"
    static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64)
        Attribute("title", .string, isOptional: false)
        Attribute("genre", .string, valueTransformer: "genre")
        Relationship(
            "chapters",
            to: Chapter.entityName,
            isToMany: true,
            inverse: "book",
            deleteRule: .cascade
        )
    }

    struct Properties: EntityProperties {
        typealias Record = Book
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var title: AttributeExpression<String> { path.attribute("title") }
        var chapters: ToManyExpression<Book, Chapter> { path.many("chapters", \.chapters) }
    }

    init(from row: EntityRow) throws {
        id = row[0, "id"]
        title = try row[1, "title"]
        genre = row[2, "genre"]
    }

    func encode(to row: inout EncodedRow) {
        row.set("id", id)
        row.set("title", title)
        row.set("genre", genre)
    }
}

private struct Novel: EntityRecord {
    var rowID = RowID<Novel>.unsaved
    var title: String
    var pages: Int?

    static let entityName = "Novel"
    static let entity = EntityDescription(entityName, parent: Book.entityName) {
        Attribute("title", .string, isOptional: false)
        Attribute("pages", .integer32)
    }

    struct Properties: EntityProperties {
        typealias Record = Novel
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws {
        title = try row[0, "title"]
        pages = row[1, "pages"]
    }

    func encode(to row: inout EncodedRow) {
        row.set("title", title)
        row.set("pages", pages)
    }
}

private struct Chapter: EntityRecord {
    var rowID = RowID<Chapter>.unsaved
    var title: String
    var book: One<Book>

    init(_ title: String, book: One<Book>) {
        self.title = title
        self.book = book
    }

    static let entityName = "Chapter"
    static let entity = EntityDescription(entityName) {
        Attribute("title", .string, isOptional: false)
        Relationship("book", to: Book.entityName, inverse: "chapters")
    }

    struct Properties: EntityProperties {
        typealias Record = Chapter
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var title: AttributeExpression<String> { path.attribute("title") }
        var book: ToOneExpression<Chapter, Book> { path.one("book", \.book) }
    }

    init(from row: EntityRow) throws {
        title = try row[0, "title"]
        book = row.one(1, "book")
    }

    func encode(to row: inout EncodedRow) {
        row.set("title", title)
        row.set("book", book)
    }
}
