import Foundation
import Tidemark
import TidemarkMacros

@Entity struct Film {
    let id: Int
    var title: String
}
guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
    print("usage: films URL")
    exit(64)
}
let store = try Store.open(at: "films.sqlite", entities: Film.self)
let service = Service.rest(url: url)
let engine = try await SyncEngine.prepare(store: store, service: service, entities: Film.self)
print(try await engine.sync())
for try await films in store.live(Film.sorted(by: \.title)) {
    print(films.map(\.title))
}
