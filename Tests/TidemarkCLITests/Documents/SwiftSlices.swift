import Foundation

/// The Swift samples that are compiled and run; every Swift block of a page must be one of them.
///
/// A sample is a whole file of `Snippets`, the program that `scripts/first-run` builds, or the
/// lines of a Swift file between `// snippet.NAME` and `// snippet.end`, which is how SwiftPM marks
/// slices of snippets.
enum SwiftSlices {
    /// Returns all samples, each without the indentation that all its lines share.
    static func all() throws -> Set<String> {
        var slices: Set<String> = []
        for folder in ["Snippets", "Tests"] {
            let root = Tidemark.package.appending(path: folder)
            for name in try FileManager.default.subpathsOfDirectory(atPath: root.path)
            where name.hasSuffix(".swift") {
                let file = root.appending(path: name)
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                if folder == "Snippets" || name == "FirstRun/main.swift" { slices.insert(text) }
                slices.formUnion(self.slices(of: text))
            }
        }
        return slices
    }

    /// Returns the slices of a file.
    static func slices(of text: String) -> [String] {
        guard text.contains("// snippet.") else { return [] }
        var slices: [String] = []
        var open: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let mark = line.trimmingCharacters(in: .whitespaces)
            if mark == "// snippet.end" {
                if let lines = open { slices.append(dedented(lines)) }
                open = nil
            } else if mark.hasPrefix("// snippet.") {
                open = []
            } else {
                open?.append(line)
            }
        }
        return slices
    }

    /// Returns lines without the indentation that all of them share, and without the empty line
    /// that swift-format inserts after imports.
    private static func dedented(_ lines: [String]) -> String {
        let lines = lines.last == "" ? lines.dropLast() : lines
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        return lines.map { "\($0.dropFirst(indent))\n" }.joined()
    }
}
