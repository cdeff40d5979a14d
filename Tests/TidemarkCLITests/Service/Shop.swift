import Foundation
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkTesting

/// A service of authors and books on a loopback socket, and a folder with a configuration for it.
struct Shop: Sendable {
    let fake: FakeService
    let folder: Folder
    let url: String

    /// Runs a closure while the service is available.
    static func open(
        _ environment: SystemEnvironment = .manual(),
        accepting writes: FakeWrites? = nil,
        _ body: (Shop) async throws -> Void
    ) async throws {
        let fake = service(environment, accepting: writes)
        try await FakeServer.run(fake) { url in
            let shop = Shop(fake: fake, folder: try Folder(), url: url.absoluteString)
            try shop.folder.write(model, to: "model.yml")
            try shop.configure()
            try await body(shop)
        }
    }

    /// Returns the service: three authors on one page, seven books on three.
    private static func service(
        _ environment: SystemEnvironment,
        accepting writes: FakeWrites?
    ) -> FakeService {
        var dialect = FakeDialect.rest(pageSize: 3)
        dialect.writes = writes
        return FakeService(
            collections: [
                "authors": (1...3).map {
                    ["id": .number("\($0)"), "name": .string("Author \($0)")]
                },
                "books": (1...7).map {
                    [
                        "id": .number("\($0)"), "title": .string("Book \($0)"),
                        "author_id": .number("\($0 % 3 + 1)"),
                    ]
                },
            ],
            dialect: dialect,
            environment: environment
        )
    }

    private static let model = """
        entities:
          Author:
            attributes: {id: integer64, name: string}
            relationships: {books: {to: Book, toMany: true, inverse: author}}
          Book:
            attributes: {id: integer64, title: string}
            relationships: {author: {to: Author, inverse: books}}
        """

    /// Writes a configuration with one attempt for each request, and the specified additions.
    func configure(
        service: String = "",
        url: String? = nil,
        resources: String = "",
        to name: String = "tidemark.yml"
    ) throws {
        try folder.write(
            """
            store: shop.db
            model: model.yml
            service:
              url: \(url ?? self.url)
              limits: {attempts: 1, concurrency: 2}
              \(service)
            resources:
              Author: {path: authors/}
              Book: {path: books/\(resources)}
            """,
            to: name
        )
    }

    /// Pulls and requires that it succeeds.
    @discardableResult
    func fill(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Outcome {
        try await folder.done("pull", sourceLocation: sourceLocation)
    }

    /// The name by which a store knows the service.
    var origin: String {
        let components = URLComponents(string: url)
        return "http://127.0.0.1:\(components?.port ?? 80)"
    }

    /// Returns all rows of the store.
    func dump() async throws -> JSON {
        try await folder.dump("shop.db")
    }
}
