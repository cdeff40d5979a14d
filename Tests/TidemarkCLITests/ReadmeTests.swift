import Foundation
import Testing

/// What README.md shows can be done as it stands there.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: Readme.isThere, "There is no README.md in the package.")
)
struct ReadmeTests {
    @Test func `every tidemark command of the README succeeds`() async throws {
        let folder = try Folder()
        let path =
            Tidemark.executable.deletingLastPathComponent().path + ":"
            + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let commands = try Readme.commands().filter { command in
            command.split(separator: " ").first.map { Readme.runnable.contains(String($0)) }
                ?? false
        }
        #expect(commands.contains { $0.contains("tidemark ") })
        for command in commands {
            let outcome = try await folder.run(
                URL(filePath: "/bin/sh"),
                ["-c", command],
                environment: ["PATH": path]
            )
            #expect(outcome.status == 0, "\(command)\n\(outcome)")
        }
    }

    @Test func `every verb is told of in the README or in docs`() throws {
        let docs = Tidemark.package.appending(path: "docs")
        let names =
            FileManager.default.fileExists(atPath: docs.path)
            ? try FileManager.default.subpathsOfDirectory(atPath: docs.path) : []
        let files =
            [Readme.file] + names.filter { $0.hasSuffix(".md") }.map { docs.appending(path: $0) }
        let text = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
            .joined()
        for verb in Tidemark.verbs {
            #expect(text.contains("tidemark \(verb)"), "tidemark \(verb)")
        }
    }
}
