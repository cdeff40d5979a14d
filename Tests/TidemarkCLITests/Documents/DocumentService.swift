import Foundation
import HTTPTypes
import TidemarkFakeServices
import TidemarkModel
import TidemarkTesting

/// The service that transcripts use: articles and their authors, in pages of two, protected by a
/// token.
///
/// It is a Rails service that also accepts changes: `DELETE articles/3` deletes an object, and
/// `PATCH` replaces its title. Its clock advances by a minute each time it is read.
enum DocumentService {
    /// The URL that pages print, which is replaced by that of a loopback socket to run transcripts.
    static let address = "https://api.example.com"

    /// The environment variables with the credentials for the service.
    static let environment = ["TIDEMARK_TOKEN": "secret"]

    /// Creates the service.
    static func make() -> FakeService {
        let clock = Locked(Date(timeIntervalSince1970: 1_767_312_000))
        var environment = SystemEnvironment.manual()
        environment.now = {
            clock.withLock { time in
                time += 60
                return time
            }
        }
        return FakeService(
            collections: [
                "authors": [
                    ["id": 1, "name": "Ada Lovelace"], ["id": 2, "name": "Alan Turing"],
                ],
                "articles": [
                    ["id": 1, "title": "Notes", "body": "On the engine", "author_id": 1],
                    ["id": 2, "title": "Machinery", "body": "Can it think?", "author_id": 2],
                    ["id": 3, "title": "Tables", "body": "Of squares", "author_id": 1],
                ],
            ],
            dialect: guarded(.rails { $0.perPage = 2 }),
            path: "/",
            environment: environment
        )
    }

    /// Returns a dialect that requires the token and also handles DELETE and PATCH.
    private static func guarded(_ dialect: FakeDialect) -> FakeDialect {
        var guarded = dialect
        guarded.respond = { request, contents in
            guard request.http.headerFields[.authorization] == "Bearer secret" else {
                return FakeResponse(["error": "Bad credentials"], status: .unauthorized)
            }
            let steps = request.steps
            switch request.http.method {
            case .delete:
                contents.change { $0[steps.joined(separator: "/")] = nil }
                return FakeResponse(.empty, status: .noContent)
            case .patch:
                contents.change { $0[steps.joined(separator: "/")]?["title"] = title(request.body) }
                return FakeResponse(.empty, status: .noContent)
            default: return dialect.respond(request, &contents)
            }
        }
        return guarded
    }

    /// Returns the title in a body such as `{"title": "Notes"}`.
    private static func title(_ body: [UInt8]?) -> FakeJSON? {
        struct Change: Decodable { var title: String }
        let change = body.flatMap { body in
            Result { try JSONDecoder().decode(Change.self, from: Data(body)) }.success
        }
        return change.map { .string($0.title) }
    }
}

extension Result {
    fileprivate var success: Success? {
        switch self {
        case .success(let value): value
        case .failure: nil
        }
    }
}
