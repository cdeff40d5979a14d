import Foundation
import Testing
import TidemarkFakeServer

/// The options that say what a list does not contain: `readNulls` and `empty`.
struct OmittedMemberOptionTests {
    private static let model = """
        entities:
          Thing: {attributes: {id: integer64, name: string, etag: {type: string, remoteKey: '"a.b"'}}}
        """

    private func pull(
        _ service: String,
        _ list: String,
        preset: String = "rest",
        bodies: [String]
    ) async throws -> (outcomes: [Outcome], folder: Folder) {
        let folder = try Folder()
        try folder.write(Self.model, to: "model.yml")
        var outcomes: [Outcome] = []
        for body in bodies {
            let responses = FixedResponses(bodies: ["things": body])
            try await FakeServer.run(responses.service) { url in
                try folder.write(
                    """
                    store: s.db
                    model: model.yml
                    service: {url: '\(url.absoluteString)', name: x, preset: \(preset)\(service)}
                    resources: {Thing: {path: things\(list)}}
                    """,
                    to: "tidemark.yml"
                )
                outcomes.append(try await folder.run("pull"))
            }
        }
        return (outcomes, folder)
    }

    private static let bodies = [
        #"{"results": [{"id": 1, "name": "a", "a.b": "W/1"}]}"#, #"{"results": [{"id": 1}]}"#,
    ]

    @Test(arguments: [
        (", lists: {readNulls: omit}", "", true), ("", ", readNulls: omit", true),
        (", lists: {readNulls: omit}", ", readNulls: explicit", false), ("", "", false),
    ])
    func `what an object lacks is cleared with readNulls omit`(
        service: String,
        list: String,
        isCleared: Bool
    ) async throws {
        let (outcomes, folder) = try await pull(service, list, bodies: Self.bodies)
        #expect(outcomes.map(\.status) == [0, 0], "\(outcomes)")
        let thing = try await folder.dump()["Thing"]?[0]
        #expect((thing?["name"]?.string == nil) == isCleared, "\(String(describing: thing))")
        #expect((thing?["etag"]?.string == nil) == isCleared, "\(String(describing: thing))")
    }

    @Test(arguments: [
        (", readNulls: none", "readNulls: none is not known. Write explicit or omit."),
        (", empty: 200", "empty: 200 is not known. Write none or 204."),
        (", empty: true", "empty: true is not known. Write none or 204."),
    ])
    func `another value is an error that names the place`(
        list: String,
        message: String
    ) async throws {
        let (outcomes, _) = try await pull("", list, bodies: [Self.bodies[0]])
        #expect(outcomes[0].status == 65)
        #expect(
            outcomes[0].stderr.contains("resources.Thing.\(message)"),
            "\(outcomes[0])"
        )
    }
}
