import Foundation
import Testing

/// The commands that the `console` blocks of a page show, with their output.
///
/// Each command is on a line that begins with `$ `; a backslash at the end of a line continues it
/// on the next. The lines up to the next command are its output, to standard output and standard
/// error. All commands of a page are run in order, in one folder, and must print the output shown:
///
/// - `$ cat FILE` shows a file that later commands read: it is written with the text shown, unless
///   an earlier command has written it;
/// - commands and pipelines of ``programs`` are run by a shell; others (`make`, `swift`, …) are
///   skipped. The run ends at a program that is not installed, as later commands may depend on it;
/// - `…` in a line of output matches any text: times, sizes, and process identifiers.
struct Transcript {
    /// A command and its output.
    struct Command {
        let line: String
        var shown: [String] = []

        /// The name of the file that the command shows; nil unless it is `cat FILE`.
        var file: String? {
            let words = line.split(separator: " ").map(String.init)
            return words.count == 2 && words[0] == "cat" ? words[1] : nil
        }

        /// The programs of the pipeline, without the variable assignments that precede them.
        var programs: [String] {
            let bare = line.replacing(/'[^']*'|"[^"]*"/, with: "")
            return bare.split { "|;&".contains($0) }.compactMap { part in
                part.split(separator: " ").first { !$0.contains("=") }.map(String.init)
            }
        }
    }

    /// The programs that transcripts run.
    static let programs: Set = ["tidemark", "sqlite3", "curl", "jq", "echo", "cat", "cp", "ls"]

    private(set) var commands: [Command] = []

    /// Creates the transcript of a page.
    init(_ page: DocumentPage) {
        for block in page.blocks(in: "console") {
            var continued: String?
            for line in block.lines {
                if let begun = continued {
                    continued = take(begun + line)
                } else if line.hasPrefix("$ ") {
                    continued = take(String(line.dropFirst(2)))
                } else if !commands.isEmpty {
                    commands[commands.count - 1].shown.append(line)
                }
            }
        }
    }

    /// Appends a command, or returns the text that the next line continues.
    private mutating func take(_ line: String) -> String? {
        if line.hasSuffix("\\") { return String(line.dropLast()) }
        commands.append(Command(line: line))
        return nil
    }

    /// Runs the commands in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - environment: Environment variables of the commands, in addition to the usual ones.
    ///   - address: The URL that replaces ``DocumentService/address``; nil if the page uses no
    ///     service.
    /// - Throws: The errors of the folder. A difference in output is recorded as an issue of the
    ///   test.
    func run(in folder: Folder, environment: [String: String], address: String?) async throws {
        let search =
            Tidemark.executable.deletingLastPathComponent().path + ":"
            + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let environment = environment.merging(["PATH": search]) { given, _ in given }
        for command in commands {
            if let file = command.file, !folder.has(file) {
                let text = command.shown.map { "\($0)\n" }.joined()
                try folder.write(Self.replaced(text, DocumentService.address, address), to: file)
                continue
            }
            guard Self.programs.isSuperset(of: command.programs) else { continue }
            guard command.programs.allSatisfy({ Self.isAvailable($0, search) }) else { return }
            let line = Self.replaced(command.line, DocumentService.address, address)
            let outcome = try await folder.run(
                URL(filePath: "/bin/sh"),
                ["-c", "{ \(line); } 2>&1"],
                environment: environment
            )
            // The lines of CSV end with CR and LF.
            let output = outcome.stdout.replacing("\r\n", with: "\n")
            let printed = address.map { Self.replaced(output, $0, DocumentService.address) }
            let text = printed ?? output
            let lines =
                text.isEmpty
                ? []
                : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(outcome.status == 0, "\(command.line)\n\(outcome)")
            #expect(
                Self.matches(lines.last == "" ? lines.dropLast() : lines, command.shown),
                "\(command.line)\n\(text)"
            )
        }
    }

    private static func replaced(_ text: String, _ old: String, _ new: String?) -> String {
        new.map { text.replacing(old, with: $0) } ?? text
    }

    private static func isAvailable(_ program: String, _ search: String) -> Bool {
        search.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Returns whether lines match those shown, in which `…` matches any text.
    static func matches(_ lines: [String], _ shown: [String]) -> Bool {
        lines.count == shown.count
            && zip(lines, shown).allSatisfy { line, shown in
                let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
                guard parts.count > 1 else { return line == shown }
                var rest = Substring(line)
                guard rest.hasPrefix(parts[0]), rest.hasSuffix(parts[parts.count - 1]) else {
                    return false
                }
                rest = rest.dropFirst(parts[0].count)
                for part in parts.dropFirst() where !part.isEmpty {
                    guard let range = rest.firstRange(of: part) else { return false }
                    rest = rest[range.upperBound...]
                }
                return true
            }
    }
}
