import Foundation
import Testing

/// What becomes of a command whose output nobody takes.
struct ConsoleTests {
    /// A store with enough rows to fill any pipe, and an import whose report nobody reads.
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

    @Test func `a reader that goes away ends a command quietly`() async throws {
        let outcome = try await run(
            Self.fill
                + "{ tidemark dump --store s.db; echo $? >status; } | head -c 1 >first; cat status"
        )
        #expect(outcome.stdout.contains("141"))
        #expect(outcome.stderr.isEmpty)
    }

    @Test(arguments: ["2>/dev/full", "2>&-"])
    func `remarks that cannot be written do no harm`(_ redirection: String) async throws {
        let fails = "tidemark count Nothing --store s.db \(redirection); echo $?"
        let outcome = try await run(Self.fill + fails)
        #expect(outcome.stdout == "66\n", "\(outcome)")
    }
}
