import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Verifications of values that a store contains and its service no longer sends.
struct VerifyOmittedValueTests {
    private static let model = Model {
        EntityDescription("Film") {
            Attribute("id", .integer64)
            Attribute("title", .string, isOptional: false)
            Attribute("year", .integer32)
            Attribute("rating", .integer32, defaultValue: .integer(3))
            Attribute("picture", .string, remoteKey: "image.url")
            Attribute("isFavorite", .boolean, isExportable: false)
            Relationship("director", to: "Person", inverse: "films")
            Relationship("studio", to: "Studio", inverse: "films")
            Relationship("tags", to: "Tag", isToMany: true, inverse: "films")
            Relationship("scenes", to: "Scene", isToMany: true, isOrdered: true, inverse: "film")
            Relationship("trailer", to: "Trailer", inverse: "film")
            Relationship("sequel", to: "Film", inverse: "prequel")
            Relationship("prequel", to: "Film", inverse: "sequel")
            Relationship("twin", to: "Film", inverse: "twin")
            Relationship("remarks", to: "Remark", isToMany: true, inverse: "film")
        }
        EntityDescription("Person") {
            Attribute("id", .integer64)
            Attribute("name", .string)
            Attribute("born", .integer32)
            Relationship("films", to: "Film", isToMany: true, inverse: "director")
        }
        EntityDescription("Studio") {
            Attribute("id", .integer64)
            Relationship("films", to: "Film", isToMany: true, inverse: "studio")
        }
        EntityDescription("Tag") {
            Attribute("id", .integer64)
            Relationship("films", to: "Film", isToMany: true, inverse: "tags")
        }
        EntityDescription("Scene") {
            Attribute("text", .string)
            Relationship("film", to: "Film", inverse: "scenes")
        }
        EntityDescription("Trailer") {
            Attribute("length", .integer32)
            Relationship("film", to: "Film", inverse: "trailer")
        }
        EntityDescription("Remark") {
            Attribute("id", .integer64)
            Attribute("text", .string)
            Relationship("film", to: "Film", inverse: "remarks")
        }
    }

    private static let film = """
        {"id": 1, "title": "Alien", "year": 1979, "rating": 5, "image": {"url": "a.png"}, \
        "director": {"id": 1, "name": "Ridley"}, "tags": [1, 2, 3], \
        "scenes": [{"text": "a"}, {"text": "b"}], "trailer": {"length": 3}, "sequel_id": 2, \
        "twin_id": 2}
        """

    private static let other = #"{"id": 2, "title": "Aliens", "scenes": [{"text": "c"}]}"#

    /// Returns a pulled mirror of a service with two films.
    private static func mirror(
        order: [String] = ["films", "people", "studios", "tags"]
    ) async throws -> ScriptedMirror {
        let entities = ["films": "Film", "people": "Person", "studios": "Studio", "tags": "Tag"]
        let mirror = try ScriptedMirror(model, order.map { (entities[$0] ?? "", $0) })
        mirror.service["/films"] = "[\(film), \(other)]"
        mirror.service["/people"] = #"[{"id": 1, "born": 1937}, {"id": 2, "name": "James"}]"#
        mirror.service["/studios"] = #"[{"id": 1, "films": [1, 2]}]"#
        mirror.service["/tags"] = #"[{"id": 1}, {"id": 2}, {"id": 3, "films": [1]}]"#
        try await mirror.pull()
        return mirror
    }

    private static let orders = [
        ["films", "people", "studios", "tags"], ["tags", "studios", "people", "films"],
    ]

    @Test(arguments: [1, 4], orders)
    func `a store matches an unchanged service, whichever list contains a value`(
        _ concurrency: Int,
        _ order: [String]
    ) async throws {
        let mirror = try await Self.mirror(order: order)
        for isFull in [false, true] {
            let verification = try await mirror.engine(concurrency: concurrency).verify()
            #expect(verification.lines == [])
            #expect(verification.matches)
            try await mirror.pull { $0.isFull = isFull }
        }
    }

    /// A change of a film's object, and the resulting differences.
    private static let changes: [(from: String, to: String, lines: [String])] = [
        (#""title": "Alien", "#, "", [#"Film#1 both title string("Alien") null"#]),
        (#""year": 1979, "#, "", ["Film#1 both year integer(1979) null"]),
        (#""rating": 5, "#, "", ["Film#1 both rating integer(5) integer(3)"]),
        (#""year": 1979"#, #""year": "soon""#, ["Film#1 both year integer(1979) null"]),
        (#""year": 1979"#, #""year": null"#, []),
        (#""title": "Alien""#, #""title": null"#, [allOfFilm]),
        (#""image": {"url": "a.png"}, "#, "", [#"Film#1 both picture string("a.png") null"#]),
        (
            #""image": {"url": "a.png"}"#, #""image": {}"#,
            [#"Film#1 both picture string("a.png") null"#]
        ),
        (
            #""image": {"url": "a.png"}"#, #""image": 7"#,
            [#"Film#1 both picture string("a.png") null"#]
        ),
        (#""image": {"url": "a.png"}"#, #""image": null"#, []),
        (
            #""director": {"id": 1, "name": "Ridley"}, "#, "",
            [
                "Film#1 both director [Person#1] []",
                #"Person#1 both name string("Ridley") null"#,
            ]
        ),
        (
            #""name": "Ridley""#, #""nickname": "R""#,
            [#"Person#1 both name string("Ridley") null"#]
        ),
        (
            #""tags": [1, 2, 3], "#, "",
            [
                "Film#1 both tags [Tag#1 Tag#2 Tag#3] [Tag#3]",
                "Tag#1 both films [Film#1] []", "Tag#2 both films [Film#1] []",
            ]
        ),
        (
            #""scenes": [{"text": "a"}, {"text": "b"}], "#, "",
            ["Scene#1 both film [Film#1] []", "Scene#2 both film [Film#1] []"]
        ),
        (
            #""scenes": [{"text": "a"}, {"text": "b"}]"#,
            #""scenes": [{"text": "a"}, {}]"#,
            [#"Scene#2 both text string("b") null"#]
        ),
        (#", {"text": "b"}"#, "", []),
        (#""trailer": {"length": 3}, "#, "", ["Film#1 both trailer [Trailer#1] []"]),
        (#""sequel_id": 2, "#, "", ["Film#2 both prequel [Film#1] []"]),
        (#", "twin_id": 2"#, "", ["Film#1 both twin [Film#2] []", "Film#2 both twin [Film#1] []"]),
    ]

    private static let allOfFilm =
        #"Film#1 both title string("Alien") null year integer(1979) null rating integer(5) "#
        + #"integer(3) picture string("a.png") null director [Person#1] []"#

    @Test(arguments: changes.indices)
    func `a value that no list contains any more differs, although a pull keeps it`(
        _ index: Int
    ) async throws {
        let change = Self.changes[index]
        let mirror = try await Self.mirror()
        let film = Self.film.replacing(change.from, with: change.to)
        try #require(film != Self.film)
        mirror.service["/films"] = "[\(film), \(Self.other)]"
        for _ in 0..<2 {
            try await mirror.pull()
            let verification = try await mirror.engine().verify()
            #expect(verification.lines == change.lines)
        }
    }

    @Test(arguments: [false, true])
    func `a null above a key path differs until a pull clears the value`(
        _ isFull: Bool
    ) async throws {
        let mirror = try await Self.mirror()
        let film = Self.film.replacing(#"{"url": "a.png"}"#, with: "null")
        mirror.service["/films"] = "[\(film), \(Self.other)]"
        let verification = try await mirror.engine().verify()
        #expect(!verification.matches)
        #expect(verification.lines == [#"Film#1 both picture string("a.png") null"#])
        try await mirror.pull { $0.isFull = isFull }
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `rows and values that the app adds do not differ`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.store.writer.write { db in
            try db.execute(sql: "UPDATE Film SET isFavorite = 1")
            try db.execute(
                sql: """
                    INSERT INTO Remark (id, text, film) SELECT id, 'mine', _id FROM Film; \
                    INSERT INTO Person (id, name) VALUES (NULL, 'mine')
                    """
            )
        }
        #expect(try await mirror.engine().verify().lines == [])
        mirror.service["/films"] = "[\(Self.film.replacing("1979", with: "1980")), \(Self.other)]"
        #expect(
            try await mirror.engine().verify().lines
                == ["Film#1 both year integer(1979) integer(1980)"]
        )
    }

    @Test func `a verification of some lists ignores values of the others`() async throws {
        let mirror = try await Self.mirror()
        #expect(try await mirror.engine().verify(only: ["Film"]).lines == [])
        #expect(try await mirror.engine().verify(only: ["Person"]).lines == [])
        mirror.service["/people"] = nil
        let verification = try await mirror.engine().verify()
        #expect(verification.lines == [])
        #expect(!verification.matches)
    }

    @Test func `an object that an import hook skips keeps its row`() async throws {
        let mirror = try await Self.mirror()
        let hooks = ImportHooks(willImport: { _, item, entity in
            entity == "Film" && item.member("year") != nil ? .skip : .keep
        })
        mirror.service["/films"] = #"[{"id": 1, "year": 1}, {"id": 2, "title": "Aliens 2"}]"#
        let engine = try mirror.engine(by: Importer(mirror.store, hooks: hooks))
        _ = try await engine.pull()
        #expect(
            try await engine.verify().lines == [
                #"Person#1 both name string("Ridley") null"#, "Scene#3 both film [Film#2] []",
            ]
        )
    }
}
