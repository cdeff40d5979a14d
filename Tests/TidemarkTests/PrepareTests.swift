import Foundation
import Testing
import Tidemark

/// Engines that an app creates without naming a transport, as the guides show it.
struct PrepareTests {
    @Test func `lists with paths of their own are requested over URLSession`() async throws {
        let model = Model {
            EntityDescription("Note") {
                Attribute("id", .integer64)
            }
        }
        let store = try Store.inMemory(model: model)
        // Nothing is requested before the first sync.
        var service = Service.rest(url: try #require(URL(string: "http://127.0.0.1:9/")))
        service.push = .rest
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            resources: [service.resource("Note", path: "v2/notes/")]
        )
        #expect(engine.warnings.isEmpty)
        try await store.write { writer in _ = try writer.insert("Note", values: [:]) }
        let planned = try await engine.plannedRequests()
        #expect(planned.map(\.url.absoluteString) == ["http://127.0.0.1:9/v2/notes/"])
    }
}
