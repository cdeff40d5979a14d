import Foundation
import Testing

/// What README.md shows can be done as it stands there.
@Suite(
    .timeLimit(.minutes(40)),
    .enabled(if: Readme.isThere, "There is no README.md in the package.")
)
struct ReadmeTests {
    @Test(arguments: ["README.md", "docs/changes.md"])
    func `every tidemark command of a page prints what is shown`(_ page: String) async throws {
        let folder = try Folder()
        let path =
            Tidemark.executable.deletingLastPathComponent().path + ":"
            + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let commands = try Readme(page).commands
        #expect(commands.contains { $0.callsTidemark })
        for command in commands {
            if let file = command.file {
                try folder.write(command.shown.joined(separator: "\n") + "\n", to: file)
            } else if command.callsTidemark {
                let outcome = try await folder.run(
                    URL(filePath: "/bin/sh"),
                    ["-c", "{ \(command.line); } 2>&1"],
                    environment: ["PATH": path]
                )
                #expect(outcome.status == 0, "\(command.line)\n\(outcome)")
                #expect(outcome.lines == command.shown, "\(command.line)")
            }
        }
    }

    @Test func `every verb is told of in the README or in docs`() throws {
        let docs = Tidemark.package.appending(path: "docs")
        let names =
            FileManager.default.fileExists(atPath: docs.path)
            ? try FileManager.default.subpathsOfDirectory(atPath: docs.path) : []
        let files =
            [Readme.file]
            + names.filter { $0.hasSuffix(".md") }.map { docs.appending(path: $0) }
        let text = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
            .joined()
        for verb in Tidemark.verbs where !text.contains("tidemark \(verb)") {
            Issue.record("tidemark \(verb) is told of nowhere.")
        }
    }
}
