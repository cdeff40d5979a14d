import Foundation

/// The README or a page of `docs`, and the commands that it shows.
///
/// Commands stand in fenced blocks marked `console`, each on a line that begins with `$ `; a
/// backslash at the end of a line goes on in the next. The lines up to the next command are what
/// it prints. The lines that call `tidemark` are run in their order, all in one folder, by a shell,
/// and must print what is shown; others (`make`, `swift`, `sqlite3`, …) are skipped. `$ cat FILE`
/// shows a file that the commands read: it is written as it is shown.
struct Readme {
    static let file = Tidemark.package.appending(path: "README.md")
    static let isThere = FileManager.default.fileExists(atPath: file.path)

    /// A command, and what it prints.
    struct Command {
        var line: String
        var shown: [String] = []

        /// The name of the file that the command shows.
        var file: String? {
            let words = line.split(separator: " ").map(String.init)
            return words.count == 2 && words[0] == "cat" ? words[1] : nil
        }

        var callsTidemark: Bool {
            line.hasPrefix("tidemark ") || line.contains("| tidemark ")
        }
    }

    private(set) var commands: [Command] = []

    /// Reads a page by its path in the package.
    init(_ path: String) throws {
        let file = Tidemark.package.appending(path: path)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole {
                take(line)
            }
        }
    }

    private mutating func take(_ line: String) {
        guard let last = commands.indices.last, !line.hasPrefix("$ ") else {
            commands.append(Command(line: String(line.dropFirst(2))))
            return
        }
        if commands[last].line.hasSuffix("\\") {
            commands[last].line.removeLast()
            commands[last].line += line
        } else {
            commands[last].shown.append(line)
        }
    }
}
