import Foundation
import Testing

/// Commands whose output cannot be written.
struct ConsoleTests {
    /// Runs a shell script in a folder with a document that is larger than the buffer of any pipe.
    private func run(_ script: String) async throws -> Outcome {
        let folder = try Folder()
        try folder.write(
            "entities: {Note: {primaryKey: id, attributes: {id: integer64, text: string}}}",
            to: "model.yml"
        )
        let text = String(repeating: "x", count: 1_000)
        let notes = (0..<1_000).map { #"{"id": \#($0), "text": "\#(text)"}"# }
        try folder.write("[\(notes.joined(separator: ","))]", to: "notes.json")
        let tidemark = "'\(Tidemark.executable.path)'"
        return try await folder.run(
            URL(filePath: "/bin/sh"),
            ["-c", script.replacing("tidemark", with: tidemark)]
        )
    }

    private static let fill =
        "tidemark import notes.json --into Note --model model.yml --store s.db -q && "

    @Test func `a closed pipe ends a command without a message`() async throws {
        let outcome = try await run(
            Self.fill
                + "{ tidemark dump --store s.db; echo $? >status; } | head -c 1 >first; cat status"
        )
        #expect(outcome.stdout.contains("141"))
        #expect(outcome.stderr.isEmpty)
    }

    @Test(arguments: ["2>/dev/full", "2>&-"])
    func `messages that cannot be written do not change the exit status`(
        _ redirection: String
    ) async throws {
        let fails = "tidemark count Nothing --store s.db \(redirection); echo $?"
        let outcome = try await run(Self.fill + fails)
        #expect(outcome.stdout == "66\n", "\(outcome)")
    }
}
