import ArgumentParser
import Foundation
import GRDB
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// The verb `tidemark demo`.
struct DemoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Sync a small service about films with a store, and show what happens.",
        discussion: """
            The service comes with the command and listens on this machine only. Each demo starts with \
            its original data.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The SQLite file, which is created if it does not exist.",
            valueName: "path"
        )
    )
    var store = "starwars.sqlite"

    @OptionGroup var output: OutputOptions

    func run() async throws {
        // Both ends of every connection are in this process.
        try ProcessLimits.expectEnough(concurrency: 2 * Limits().concurrency)
        let store = try Store.open(at: store, model: StarWars.model)
        let fake = try StarWars.service(accepting: Self.writes)
        try await FakeServer.run(fake) { url in
            try printText("A service about films is available at \(url.absoluteString).\n")
            try await AsyncHTTPClientTransport.run { transport in
                var service = Service.rest(url: url)
                // The port differs each time, and a store accepts only the service to which it
                // belongs.
                service.name = "tidemark demo"
                service.push = .rest
                let engine = try await SyncEngine.prepare(
                    store: store,
                    service: service,
                    resources: Self.resources(service),
                    transport: transport
                )
                try await show(engine, store: store)
                try await showChanges(engine, fake, store: store)
            }
        }
        try printText(suggestions)
    }

    private func show(_ engine: SyncEngine, store: Store) async throws {
        try printText("Pulling its six resources into \(self.store):\n")
        let first = try await engine.pull()
        try show(first, summary: PullPrinter.cost(first))
        try PullVerb.throwFailure(of: first)

        try printText("The films, with the number of their characters:\n")
        try printText(try await store.writer.read(Self.films).description + "\n")

        try printText("Pulling again:\n")
        let second = try await engine.pull()
        let outcome = second.total.isUnchanged ? "Nothing changed" : "Rows changed"
        try show(second, summary: "\(outcome): \(PullPrinter.cost(second))")
        try PullVerb.throwFailure(of: second)
    }

    /// Prints the report of a pull: as `tidemark pull` does in JSON, as a table otherwise.
    private func show(_ report: SyncReport, summary: String) throws {
        switch output.format {
        case .json: try PullPrinter(output).print(report)
        case .text: try printText("\(PullPrinter.table(report).description)\n\(summary)\n")
        }
    }

    /// Prints text if the output is for people and not quiet.
    func printText(_ text: String) throws {
        if output.format == .text, !output.quiet { try Console.lines(text) }
    }

    private static func resources(_ service: Service) -> [RemoteResource] {
        [
            ("Film", "films"), ("Person", "people"), ("Planet", "planets"), ("Species", "species"),
            ("Starship", "starships"), ("Vehicle", "vehicles"),
        ].map { entity, path in
            service.resource(entity, path: path + "/")
        }
    }

    /// Reads the films with plain SQL, to show that a store is an ordinary SQLite database.
    private static func films(_ db: Database) throws -> TextTable {
        var table = TextTable(["title", "episode", "director", "released", "characters"])
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT title, episodeID, director, date(releaseDate, 'unixepoch'), count(member)
                FROM Film LEFT JOIN _tidemark_Film_characters ON owner = Film._id
                GROUP BY Film._id ORDER BY releaseDate
                """
        )
        for row in rows {
            table.add([row[0], "\(row[1] as Int)", row[2], row[3], "\(row[4] as Int)"])
        }
        return table
    }

    /// The rules of the service for changes.
    private static var writes: FakeWrites {
        var writes = FakeWrites()
        writes.required["films"] = ["title"]
        return writes
    }

    private var suggestions: String {
        """
        The store is \(store). Try next:

          tidemark query Film --store \(store) --sort releaseDate
          tidemark get Person:1 --store \(store)
          tidemark export Film:1 --store \(store) --relationships ids
          tidemark model show --store \(store)
          tidemark conflicts list --store \(store)
          sqlite3 \(store) 'SELECT name, height FROM Person ORDER BY height DESC LIMIT 5'
        """
    }
}
