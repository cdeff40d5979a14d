/// The reference of all commands in Markdown, as a part of `docs/cli.md`.
struct MarkdownReference: CustomStringConvertible {
    private let command: CommandReference

    init(_ command: CommandReference) {
        self.command = command
    }

    var description: String {
        command.verbs().map { section(named: $0.name, of: $0.verb) }.joined(separator: "\n\n")
    }

    private func section(named name: String, of verb: CommandReference) -> String {
        let table = verb.ownArguments.map { argument in
            let title = [argument.title, argument.names == nil ? "" : argument.valueText]
                .filter { !$0.isEmpty }.joined(separator: " ")
            return "| \(Self.code(title)) | \(Self.escaped(argument.sentences)) |"
        }
        let head = table.isEmpty ? [] : ["| argument | meaning |", "|---|---|"]
        let blocks =
            ["### \(name)", "```\n\(name) \(verb.synopsis)\n```"]
            + verb.paragraphs.map(Self.escaped) + [(head + table).joined(separator: "\n")]
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Returns a text as code in a cell of a table, where a bar would separate columns even within
    /// code.
    private static func code(_ text: String) -> String {
        "`\(text.replacing("|", with: #"\|"#))`"
    }

    /// Returns a text in which no character is markup, except that code stays code.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { part in
            guard part.offset.isMultiple(of: 2) else { return code(String(part.element)) }
            var result = ""
            for character in part.element {
                if #"\*<>[]|"#.contains(character) { result += #"\"# }
                result.append(character)
            }
            return result
        }.joined()
    }
}
