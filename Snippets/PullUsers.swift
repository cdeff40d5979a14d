import Foundation
import Tidemark

let model = Model {
    EntityDescription("User") {
        Attribute("id", .integer64)
        Attribute("firstName", .string)
    }
}
guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
    print("usage: PullUsers URL")
    exit(64)
}
let store = try Store.open(at: "users.sqlite", model: model)
let service = Service.rest(url: url)
let engine = try await SyncEngine.prepare(
    store: store,
    service: service,
    resources: [service.resource("User", path: "users")],
    transport: URLSessionTransport()
)
let report = try await engine.pull()
print(report)
