import Foundation
import PlainEntities
import Testing
import TidemarkCoreData
import TidemarkInference
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkYAML

/// The types that are written for a model: they compile, and describe that model.
struct GeneratedEntityTests {
    /// A model, and the record types that are committed for it.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let model: @Sendable () throws -> Model
        let macros: Model
        let plain: Model

        var testDescription: String { name }

        static let all = [
            Sample(
                name: "Notes",
                model: { try ModelBundle.model(at: "\(models)/Notes.xcdatamodeld") },
                macros: Model(Writer.self, Memo.self),
                plain: Model(PlainEntities.Writer.self, PlainEntities.Memo.self)
            ),
            Sample(
                name: "Everything",
                model: { try yaml("Everything") },
                macros: Model(DateRecord.self),
                plain: Model(PlainEntities.DateRecord.self)
            ),
            Sample(
                name: "Vehicles",
                model: { try yaml("Vehicles") },
                macros: Model(Vehicle.self, Car.self, Truck.self, Garage.self),
                plain: Model(
                    PlainEntities.Vehicle.self,
                    PlainEntities.Car.self,
                    PlainEntities.Truck.self,
                    PlainEntities.Garage.self
                )
            ),
            Sample(
                name: "Playlists",
                model: { try yaml("Playlists") },
                macros: Model(Playlist.self, Track.self, Listener.self),
                plain: Model(
                    PlainEntities.Playlist.self,
                    PlainEntities.Track.self,
                    PlainEntities.Listener.self
                )
            ),
            Sample(
                name: "Seats",
                model: { try yaml("Seats") },
                macros: Model(Hall.self, Seat.self),
                plain: Model(PlainEntities.Hall.self, PlainEntities.Seat.self)
            ),
            Sample(
                name: "Films",
                model: { try yaml("Films") },
                macros: Model(Film.self, Person.self),
                plain: Model(PlainEntities.Film.self, PlainEntities.Person.self)
            ),
        ]

        private static let models = GeneratedEntityTests.tests
            .appending(path: "GeneratedEntityTests/Models").path

        private static func yaml(_ name: String) throws -> Model {
            let text = try String(contentsOfFile: "\(models)/\(name).yml", encoding: .utf8)
            return try Model.decoding { try YAMLText(text).decode(Model.self) }
        }
    }

    private static let tests = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("the model of the generated types equals the model read", arguments: Sample.all)
    func model(_ sample: Sample) throws {
        let model = try sample.model()
        try model.validate()
        #expect(sample.macros == model)
        #expect(sample.plain == model)
    }

    @Test("the committed types are those that are generated today", arguments: Sample.all)
    func source(_ sample: Sample) throws {
        let model = try sample.model()
        let macros = EntitySource(model, form: .macros, access: .internal)
        let plain = EntitySource(model, form: .plain, access: .package)
        try compare(try macros.files(), with: "GeneratedEntityTests/Generated/\(sample.name)")
        try compare(try plain.files(), with: "PlainEntities/\(sample.name)")
    }

    private func compare(_ files: [EntitySource.File], with folder: String) throws {
        let committed = Self.tests.appending(path: folder)
        let actual = FileManager.default.temporaryDirectory.appending(path: folder)
        try FileManager.default.createDirectory(at: actual, withIntermediateDirectories: true)
        for file in files {
            let url = actual.appending(path: file.name)
            try file.text.write(to: url, atomically: true, encoding: .utf8)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: committed.path)
        let texts = try names.map { name in
            (name, try String(contentsOf: committed.appending(path: name), encoding: .utf8))
        }
        #expect(
            Dictionary(files.map { ($0.name, $0.text) }) { $1 } == Dictionary(texts) { $1 },
            "\(actual.path) has what is generated: copy it to \(committed.path) if it should be so."
        )
    }

    @Test("a record with every type that is read equals the one that was written")
    func everyType() throws {
        let store = try Store.validated(model: Model(DateRecord.self))
        let record = DateRecord(
            bytes: Data([0, 255]),
            code: UUID(),
            decimal: 1.5,
            in: -7,
            link: URL(fileURLWithPath: "/a b"),
            moment: Date(timeIntervalSince1970: 0.25),
            other: .integer(5),
            scratch: "not stored"
        )
        var saved = try store.write { try $0.insert(record) }
        saved.scratch = ""
        saved.document = #"{"a":[1,2]}"#
        #expect(try store.fetch(DateRecord.filter { $0.default && $0.class != "b" }) == [saved])
        #expect(try store.fetch(DateRecord.filter { $0.in == 7 }) == [])
    }

    @Test("a property that every record has is reported with what to do about it")
    func reservedName() throws {
        let model = Model { EntityDescription("User") { Attribute("rowID", .integer64) } }
        let error = try #require(throws: ModelError.self) {
            try EntitySource(model, form: .plain, access: .internal).files()
        }
        #expect(
            error.message
                == "User.rowID cannot be a property of a record, which has a rowID itself. Rename "
                + "it, and give it “rowID” as remoteKey."
        )
    }
}
