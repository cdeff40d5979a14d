import Foundation
import Testing

/// The confirmation of `tidemark erase` at a terminal.
@Suite(.serialized, .timeLimit(.minutes(40)))
struct ConfirmationTests {
    /// Runs `tidemark erase` with some of the standard streams at a terminal; the others are files.
    private func erase(
        _ folder: Folder,
        at terminal: Terminal,
        _ redirection: String
    ) async throws -> Outcome {
        try await folder.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", "exec \"$0\" erase --store s.db \(redirection)",
                Tidemark.executable.path, terminal.path,
            ],
            stdin: "yes\n"
        )
    }

    @Test(arguments: ["", "2>\"$1\"", "<\"$1\""])
    func `yes is accepted only if standard input and standard error are a terminal`(
        _ redirection: String
    ) async throws {
        let folder = try await Sample.filled()
        let terminal = try Terminal()
        try terminal.type("yes\n")
        let outcome = try await erase(folder, at: terminal, redirection)
        #expect(outcome.status == 77, "\(outcome)")
        #expect(try await folder.dump() == Sample.dump)
    }

    @Test(
        arguments: [("yes\n", 0), ("no\n", 77), ("\n", 77), ("Yes, please\n", 77), ("y\n", 77)]
            as [(String, Int32)]
    )
    func `at a terminal only the answer yes confirms`(
        _ answer: String,
        _ status: Int32
    ) async throws {
        let folder = try await Sample.filled()
        let terminal = try Terminal()
        try terminal.type(answer)
        let outcome = try await erase(folder, at: terminal, "<\"$1\" 2>\"$1\"")
        #expect(outcome.status == status, "\(outcome)")
        #expect((try await folder.dump() == Sample.dump) == (status == 77))
    }
}
