import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports of data, strings and files as records of a type.
struct SourceTests {
    struct Film: EntityRecord, Hashable {
        var rowID = RowID<Film>.unsaved
        var id: Int
        var title: String

        static let entityName = "Film"
        static let entity = EntityDescription(entityName) {
            Attribute("id", .integer64)
            Attribute("title", .string, isOptional: false)
            Attribute("code", .string)
        }

        struct Properties: EntityProperties {
            typealias Record = Film
            let path: PropertyPath
            init(_ path: PropertyPath) { self.path = path }
            var title: AttributeExpression<String> { path.attribute("title") }
        }

        init(id: Int, title: String) {
            self.id = id
            self.title = title
        }

        init(from row: EntityRow) throws {
            id = try row[0, "id"]
            title = try row[1, "title"]
        }

        func encode(to row: inout EncodedRow) {
            row.set("id", id)
            row.set("title", title)
        }
    }

    private let store: Store

    init() throws {
        var film = Film.entity
        film.uniquenessConstraints = [["code"]]
        store = try Store.validated(model: Model(entities: [film]))
    }

    private static let list =
        #"{"films": [{"id": 1, "title": "Brazil"}, {"id": 2, "title": "Stalker"}]}"#

    private func titles() throws -> [String] {
        try store.fetch(Film.sorted(by: \.title)).map(\.title)
    }

    @Test func `data, bytes, strings and files are imported as records of a type`() throws {
        let folder = try Folder()
        let file = URL(filePath: folder.filePath("films.json"))
        try Data(Self.list.utf8).write(to: file)
        #expect(
            try store.import(Self.list, as: Film.self, at: "films").entities["Film"]?.inserted == 2
        )
        #expect(try titles() == ["Brazil", "Stalker"])
        let sources: [any ImportSource] = [
            Data(Self.list.utf8), Array(Self.list.utf8), Data("x\(Self.list)".utf8).dropFirst(),
            file,
        ]
        for source in sources {
            let report = try store.import(source, into: "Film", at: "films")
            #expect(report.entities["Film"]?.unchanged == 2, "\(type(of: source))")
        }
    }

    @Test func `an import without blocking has the same effect`() async throws {
        let report = try await store.import(Self.list, as: Film.self, at: "films")
        #expect(report.entities["Film"]?.inserted == 2)
        _ = try await store.import(#"[{"id": 3, "title": "Alien"}]"#, into: "Film")
        #expect(try await store.fetch(Film.all).map(\.title) == ["Alien"])
        let changed = try await store.importOne(#"{"id": 3, "title": "Aliens"}"#, as: Film.self)
        #expect(changed.title == "Aliens")
    }

    @Test func `a text longer than the buffer of the reader is imported`() throws {
        let films = (1...20_000).map { #"{"id":\#($0),"title":"film number \#($0)"}"# }
        let text = "[\(films.joined(separator: ","))]"
        #expect(
            try store.import(Data(text.utf8), as: Film.self).entities["Film"]?.inserted == 20_000
        )
        #expect(try store.import(text, as: Film.self).entities["Film"]?.unchanged == 20_000)
    }

    @Test func `one object is inserted or updated, and nothing else is deleted`() throws {
        try store.import(Self.list, as: Film.self, at: "films")
        let third = try store.importOne(#"{"id": 3, "title": "Alien"}"#, as: Film.self)
        #expect(third == Film(id: 3, title: "Alien").with(third.rowID))
        let first = try store.importOne(
            #"{"film": {"id": 1, "title": "BRAZIL"}}"#,
            as: Film.self,
            at: "film"
        )
        #expect(first.rowID.number == 1)
        #expect(try titles() == ["Alien", "BRAZIL", "Stalker"])
    }

    @Test(arguments: [
        (
            "[]",
            "The text contains 0 objects, and one was expected. Import a list with import(_:as:)."
        ),
        (
            #"[{"id": 8, "title": "a"}, {"id": 9, "title": "b"}]"#,
            "The text contains 2 objects, and one was expected. Import a list with import(_:as:)."
        ),
        (
            #"{"id": 8}"#,
            "Film:8, title: A row must have a value. Correct the document, or use another policy for invalid values."
        ),
        (
            #"{"id": 8, "title": "a", "code": "x"}"#,
            "Film:8: The row breaks a rule of the store: UNIQUE constraint failed: Film.code. Correct the document, or use another policy for invalid values."
        ),
        (#"{"id": "#, "line 1, column 8: unexpected end of input"),
    ])
    func `a text that is not one valid object changes nothing`(
        text: String,
        message: String
    ) throws {
        try store.importOne(#"{"id": 1, "title": "Brazil", "code": "x"}"#, as: Film.self)
        let error = #expect(throws: (any Error).self) {
            try store.importOne(text, as: Film.self)
        }
        #expect(error.map { "\($0)" } == message)
        #expect(try titles() == ["Brazil"])
    }

    @Test func `a source that is not a file that can be read is an error that names it`() throws {
        let error = #expect(throws: ImportError.self) {
            try store.import(#require(URL(string: "https://example.com/films")), as: Film.self)
        }
        #expect(
            error?.description
                == "https://example.com/films is not the URL of a file. Request it and import the "
                + "body, or pull it with a SyncEngine."
        )
        let folder = try Folder()
        let missing = #expect(throws: ImportError.self) {
            try store.import(URL(filePath: folder.filePath("none.json")), as: Film.self)
        }
        #expect(missing?.code == .unreadableSource)
        #expect(missing?.message.contains("none.json cannot be read") == true)
    }

    @Test func `a folder is an error that names it`() throws {
        let folder = try Folder()
        let error = #expect(throws: ImportError.self) {
            try store.import(URL(filePath: folder.path), as: Film.self)
        }
        #expect(error?.code == .unreadableSource)
        #expect(error?.message.hasPrefix("\(folder.path) cannot be read: ") == true)
    }

    @Test func `an import whose task is cancelled changes nothing`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let hooks = ImportHooks(willImport: { _, _, _ in
            begin.yield()
            isCancelled.wait()
            return .keep
        })
        let importer = Importer(store, hooks: hooks)
        let task = Task { try await importer.import(#"[{"id": 1, "title": "a"}]"#, as: Film.self) }
        _ = await begins.first { _ in true }
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try titles().isEmpty)
        try await store.import(Self.list, as: Film.self, at: "films")
        #expect(try titles() == ["Brazil", "Stalker"])
    }

    @Test func `an invalid text in the middle of a file changes nothing`() throws {
        let folder = try Folder()
        let file = URL(filePath: folder.filePath("films.json"))
        try Data((Self.list.dropLast(2) + ", }").utf8).write(to: file)
        #expect(throws: JSONError.self) { try store.import(file, as: Film.self, at: "films") }
        #expect(try titles().isEmpty)
    }

    @Test func `one object that a hook skips is an error`() throws {
        let importer = Importer(store, hooks: ImportHooks(willImport: { _, _, _ in .skip }))
        let error = #expect(throws: ImportError.self) {
            try importer.importOne(#"{"id": 1, "title": "Brazil"}"#, as: Film.self)
        }
        #expect(
            error?.description
                == "The object was not imported: a hook or the options exclude it."
        )
    }
}

extension SourceTests.Film {
    fileprivate func with(_ rowID: RowID<Self>) -> Self {
        var film = self
        film.rowID = rowID
        return film
    }
}
