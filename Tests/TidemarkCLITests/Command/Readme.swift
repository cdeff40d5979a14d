import Foundation

/// The README, and the commands that it shows.
///
/// Commands stand in fenced blocks marked `console`, each on a line that begins with `$ `; a backslash at
/// the end of a line goes on in the next. The lines that call `tidemark` are run in their order, all in one
/// folder, by a shell; others (`make`, `swift`, `git`, …) are run elsewhere and skipped here. What a command
/// reads must be made by a line before it with `cat`, `echo` or `printf`.
enum Readme {
    static let file = Tidemark.package.appending(path: "README.md")
    static let isThere = FileManager.default.fileExists(atPath: file.path)
    static let runnable: Set = ["tidemark", "cat", "echo", "printf"]

    static func commands() throws -> [String] {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        var commands: [String] = []
        var isConsole = false
        var isContinued = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
                isContinued = false
            } else if isConsole && (isContinued || line.hasPrefix("$ ")) {
                let words = isContinued ? String(line) : String(line.dropFirst(2))
                let part = words.hasSuffix("\\") ? String(words.dropLast()) : words
                if isContinued {
                    commands[commands.count - 1] += part
                } else {
                    commands.append(part)
                }
                isContinued = words.hasSuffix("\\")
            }
        }
        return commands
    }
}
