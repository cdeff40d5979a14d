/// A declaration of a type or an extension.
struct Declaration {
    let keyword: String

    /// The full name of the declared or extended type, such as `A.B`.
    let name: String

    let line: Int

    var isType: Bool { Self.types.contains(keyword) }

    /// Returns the types and extensions of a file that begin in the first column.
    static func all(in file: SourceFile) -> [Declaration] {
        file.code.enumerated().compactMap { number, line in
            guard let first = line.first, first != " " else { return nil }
            return Declaration(line, at: number)
        }
    }

    /// Returns the types that a file declares at any depth.
    static func types(in file: SourceFile) -> [Declaration] {
        file.code.enumerated().compactMap { number, line in
            Declaration(line, at: number).flatMap { $0.isType ? $0 : nil }
        }
    }

    private init?(_ text: String, at line: Int) {
        var words = text.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" || $0 == "=" }
        while let word = words.first, Self.modifiers.contains(String(word)) || word.hasPrefix("@") {
            words.removeFirst()
        }
        guard words.count > 1, Self.types.contains(String(words[0])) || words[0] == "extension"
        else { return nil }
        (keyword, name, self.line) = (String(words[0]), String(words[1]), line)
    }

    private static let types = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    private static let modifiers = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect",
        "nonisolated", "open",
    ]
}
