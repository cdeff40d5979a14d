import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkTesting

/// The service that transcripts ask: articles and their authors in pages of two, behind a token.
///
/// It is a Rails service that can also be written: `DELETE articles/3` removes an object, `PATCH`
/// replaces members of one. Each request comes a minute after the one before.
enum DocumentService {
    /// The address that pages print; transcripts are run with the one of a loopback socket.
    static let address = "https://api.example.com"

    /// The variables that commands need to be let in.
    static let environment = ["TIDEMARK_TOKEN": "secret"]

    /// Makes the service.
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

    /// The same dialect for requests with the token only, and with changes.
    private static func guarded(_ dialect: FakeDialect) -> FakeDialect {
        var guarded = dialect
        guarded.answer = { request, contents in
            guard request.http.headerFields[.authorization] == "Bearer secret" else {
                return FakeResponse(["error": "Bad credentials"], status: .unauthorized)
            }
            let steps = request.steps
            switch request.http.method {
            case .delete:
                contents.change { $0[steps.joined(separator: "/")] = nil }
                return FakeResponse(.nothing, status: .noContent)
            case .patch:
                contents.change { $0[steps.joined(separator: "/")]?["title"] = title(request.body) }
                return FakeResponse(.nothing, status: .noContent)
            default: return dialect.answer(request, &contents)
            }
        }
        return guarded
    }

    /// The title in a body such as `{"title": "Notes"}`.
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
