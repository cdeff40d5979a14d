import Foundation
import GRDB
import GuideSupport
import Testing
import Tidemark
import TidemarkMacros
import TidemarkTestSupport
import TidemarkTesting

/// The code of the guide “Getting started”.
@Suite(.timeLimit(.minutes(40)))
struct GettingStartedTests {
    private let console = GuideConsole()
    private let fake = FakeService(
        collections: [
            "films": [
                ["id": 1, "title": "Alien", "director_id": 7],
                ["id": 2, "title": "Stalker", "director_id": 9],
                ["id": 3, "title": "Blade Runner", "director_id": 7],
            ],
            "people": [
                ["id": 7, "name": "Ridley Scott"], ["id": 9, "name": "Andrei Tarkovsky"],
            ],
        ]
    )

    private func print(_ items: Any...) { console.write(items) }

    @Test func `a pull fills a store, and a list follows another process`() async throws {
        let folder = try Folder()
        let path = folder.filePath("films.sqlite")
        try await GuideService.run(fake) { url in
            // snippet.pull
            let store = try Store.open(at: path, entities: Film.self, Person.self)
            var service = Service.rest(url: url)
            service.path = "{collection}/"
            let engine = try await SyncEngine.prepare(
                store: store,
                service: service,
                entities: Film.self,
                Person.self
            )
            let report = try await engine.pull()
            print(report[Film.self].inserted, report[Person.self].inserted)  // 3 2
            // snippet.end
            #expect(await console.next(1) == ["3 2"])
            let again = try await engine.pull()
            #expect(again[Film.self].isUnchanged && again[Person.self].isUnchanged)
            let reading = Task {
                // snippet.live
                let films = Film.sorted(by: \.title).including(\.director)
                for try await snapshot in store.live(films) {
                    for film in snapshot {
                        print(film.title, "by", film.director.value?.name ?? "?")
                    }
                }
                // snippet.end
            }
            #expect(
                await console.next(3) == [
                    "Alien by Ridley Scott", "Blade Runner by Ridley Scott",
                    "Stalker by Andrei Tarkovsky",
                ]
            )
            // What the shell does in the guide.
            let other = try DatabaseQueue(path: path)
            try await other.write { db in
                try db.execute(sql: "INSERT INTO Film (id, title) VALUES (4, 'Solaris')")
            }
            #expect(
                await console.next(4) == [
                    "Alien by Ridley Scott", "Blade Runner by Ridley Scott", "Solaris by ?",
                    "Stalker by Andrei Tarkovsky",
                ]
            )
            reading.cancel()
            try await reading.value
            let next = try await engine.pull()
            #expect(next[Film.self].deleted == 1)
            try await inspect(other)
        }
    }

    /// What the program does first.
    private func arguments() -> (URL, String) {
        // snippet.arguments
        guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            print("usage: films URL")
            exit(64)
        }
        let path = "films.sqlite"
        // snippet.end
        return (url, path)
    }

    /// Checks what the shell prints in the guide.
    private func inspect(_ queue: DatabaseQueue) async throws {
        let lines = try await queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT title, name FROM Film JOIN Person ON director = Person._id \
                    ORDER BY title
                    """
            )
            return rows.map { "\($0["title"] as String)|\($0["name"] as String)" }
        }
        #expect(
            lines == [
                "Alien|Ridley Scott", "Blade Runner|Ridley Scott", "Stalker|Andrei Tarkovsky",
            ]
        )
        let table = try await queue.read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'Film'")
        }
        let shown = """
            CREATE TABLE "Film" (
              "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
              "id" INTEGER,
              "title" TEXT NOT NULL,
              "director" INTEGER REFERENCES "Person"("_id")
                ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
              UNIQUE ("id")
            ) STRICT
            """
        #expect(table?.filter { !$0.isWhitespace } == shown.filter { !$0.isWhitespace })
        let indexes = try await queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master \
                    WHERE type = 'index' AND tbl_name = 'Film' AND sql IS NOT NULL
                    """
            )
        }
        #expect(indexes.map { $0.contains("(\"director\")") } == [true])
    }

    @Test func `a schedule keeps the store up to date`() async throws {
        let store = try Store.validated(model: Model(Film.self, Person.self))
        var service = Service.rest(url: fake.url)
        service.path = "{collection}/"
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Film.self,
            Person.self,
            transport: fake
        )
        let events = engine.events()
        // snippet.schedule
        let syncing = Task { try await engine.run(.every(.seconds(60))) }
        // snippet.end
        for await case .finished(let report) in events {
            #expect(report[Film.self].inserted == 3)
            break
        }
        syncing.cancel()
        await #expect(throws: CancellationError.self) { try await syncing.value }
        #expect(try await store.count(Film.filter { $0.director.name == "Ridley Scott" }) == 2)
    }
}

// snippet.records
@Entity struct Film {
    let id: Int
    var title: String
    @Relationship(inverse: "films") var director: One<Person>
}

@Entity struct Person {
    let id: Int
    var name: String
    @Relationship(inverse: "director") var films: Many<Film>
}
// snippet.end
