/// A Swift block of a documentation comment.
struct Example {
    /// The lines of the block, after the hidden lines of the comment.
    let lines: [String]

    /// Returns the examples in the documentation comments of a file.
    ///
    /// A comment `<!-- example: let user = model.entities[0] -->`, which DocC does not show, adds a
    /// line to the block that follows it.
    static func all(in file: SourceFile) -> [Example] {
        var examples: [Example] = []
        var hidden: [String] = []
        var block: [String]?
        for line in file.lines {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("///") else {
                (hidden, block) = ([], nil)
                continue
            }
            let content = text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
            if let lines = block {
                if content == "```" {
                    examples.append(Example(lines: hidden + lines))
                    (hidden, block) = ([], nil)
                } else {
                    block = lines + [String(content)]
                }
            } else if content == "```swift" {
                block = []
            } else if content.hasPrefix(marker), content.hasSuffix(" -->") {
                hidden.append(String(content.dropFirst(marker.count).dropLast(4)))
            }
        }
        return examples
    }

    /// Returns the block as a function, after what Swift permits only outside of functions.
    ///
    /// A block of types with macros that add extensions becomes the content of an enumeration.
    ///
    /// The function is asynchronous only if the block awaits: otherwise `store.reader.read` would
    /// be the asynchronous one.
    func function(_ name: String) -> String {
        if lines.contains(where: { $0.hasPrefix("@Entity") }) {
            let members = lines.map { $0.isEmpty ? "" : "    \($0)" }
            return (["private enum \(name) {"] + members + ["}"]).joined(separator: "\n")
        }
        let outside = global
        let body = lines.indices.filter { !outside.contains($0) }.map { number in
            lines[number].isEmpty ? "" : "    \(lines[number])"
        }
        let effects = lines.contains { Words.has("await", in: $0) } ? "async throws" : "throws"
        let function = ["private func \(name)() \(effects) {"] + body + ["}"]
        return (outside.map { lines[$0] } + function).joined(separator: "\n")
    }

    /// The numbers of the lines with imports and extensions, and with types if there are
    /// extensions.
    private var global: [Int] {
        let file = SourceFile(path: "Example.swift", text: lines.joined(separator: "\n"))
        let declarations = file.outline.declarations.filter { $0.owner == nil }
        let hasExtension = declarations.contains { $0.keyword == "extension" }
        let types = declarations.filter { hasExtension && ($0.isType || $0.keyword == "extension") }
        return Import.all(in: file).map(\.line)
            + types.flatMap { $0.start...($0.body?.upperBound ?? $0.line) }
    }

    private static let marker = "<!-- example: "
}
