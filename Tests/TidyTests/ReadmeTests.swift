import Foundation
import Testing

/// What the README shows is what runs.
struct ReadmeTests {
    @Test func `each Swift sample of the README is a snippet, which is compiled and run`() throws {
        let readme = try text("README.md")
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { block in
            block.components(separatedBy: "```")[0]
        }
        // Lines of a package's manifest compile in a manifest only.
        let code = blocks.filter { !$0.hasPrefix(".") }
        let snippets = try ["ImportUsers", "PullUsers"].map { try text("Snippets/\($0).swift") }
        #expect(code == snippets)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Project.folder.appending(path: name), encoding: .utf8)
    }
}
