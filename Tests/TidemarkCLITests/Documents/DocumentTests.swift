import Foundation
import Testing
import TidemarkFakeServer
import TidemarkJSON
import TidemarkModel
import TidemarkYAML

@testable import TidemarkCLI

/// README.md, the pages of `docs` and the guides: their commands, samples, YAML, JSON and links.
@Suite(.timeLimit(.minutes(40)))
struct DocumentTests {
    @Test(arguments: try DocumentPage.paths())
    func `every command of a page prints the output shown`(_ path: String) async throws {
        let page = try DocumentPage(path)
        let transcript = Transcript(page)
        let folder = try Folder()
        guard page.text.contains(DocumentService.address) else {
            return try await transcript.run(in: folder, environment: [:], address: nil)
        }
        try await FakeServer.run(DocumentService.make()) { url in
            try await transcript.run(
                in: folder,
                environment: DocumentService.environment,
                address: String(url.absoluteString.dropLast())
            )
        }
    }

    @Test(arguments: try DocumentPage.paths() + DocumentPage.guides())
    func `every Swift block of a page is a sample that is compiled and run`(
        _ path: String
    ) throws {
        let slices = try SwiftSlices.all()
        // A package manifest, or a part of it: scripts/first-run builds that of “Getting started”.
        let blocks = try DocumentPage(path).blocks(in: "swift").filter {
            !$0.text.hasPrefix(".package(") && !$0.text.hasPrefix(".product(")
                && !$0.text.hasPrefix("// swift-tools-version")
        }
        for block in blocks where !slices.contains(block.text) {
            Issue.record("\(path):\(block.line): no sample of Snippets or Tests has this code.")
        }
    }

    @Test(arguments: try DocumentPage.paths())
    func `every YAML block of a page is a model or a configuration`(_ path: String) throws {
        for block in try DocumentPage(path).blocks(in: "yaml") {
            do {
                if block.text.contains("entities:") {
                    try Model.decoding { try YAMLText(block.text).decode(Model.self) }.validate()
                } else {
                    _ = try YAMLText(block.text).decode(Configuration.self)
                }
            } catch {
                Issue.record("\(path):\(block.line): \(error)")
            }
        }
    }

    @Test(arguments: try DocumentPage.paths() + DocumentPage.guides())
    func `every JSON block of a page is JSON`(_ path: String) throws {
        for block in try DocumentPage(path).blocks(in: "json") {
            #expect(throws: Never.self, "\(path):\(block.line)") {
                _ = try JSONDocument(Array(block.text.utf8))
            }
        }
    }

    @Test(arguments: try DocumentPage.paths())
    func `every link of a page leads to an existing file and heading`(
        _ path: String
    ) throws {
        let page = try DocumentPage(path)
        let folder = Tidemark.package.appending(path: path).deletingLastPathComponent()
        for match in page.text.matches(of: /\]\(([^)#]*)(?:#([^)]*))?\)/)
        where !match.output.1.contains(":") {
            let name = String(match.output.1)
            let target = folder.appending(path: name).standardizedFileURL
            let isAvailable = FileManager.default.fileExists(atPath: target.path)
            #expect(name.isEmpty || isAvailable, "\(path): \(name)")
            guard let anchor = match.output.2, name.isEmpty || name.hasSuffix(".md"), isAvailable
            else {
                continue
            }
            let other = String(target.path.dropFirst(Tidemark.package.path.count + 1))
            let headings = try DocumentPage(name.isEmpty ? path : other).anchors
            #expect(headings.contains(String(anchor)), "\(path): \(name)#\(anchor)")
        }
    }

    @Test func `README links to every page of docs`() throws {
        let readme = try DocumentPage("README.md").text
        for path in try DocumentPage.paths().dropFirst() where !readme.contains("(\(path))") {
            Issue.record("README.md has no link to \(path).")
        }
    }

    @Test func `every verb appears in a page`() throws {
        let text = try DocumentPage.paths().map { try DocumentPage($0).text }.joined()
        for verb in Tidemark.verbs where !text.contains("tidemark \(verb)") {
            Issue.record("No page mentions tidemark \(verb).")
        }
    }
}
