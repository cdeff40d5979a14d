import Foundation

/// What a command left behind: its status and what it printed.
struct Outcome: Sendable, CustomStringConvertible {
    /// The exit status; 128 and the signal where one ended it, as a shell tells it.
    let status: Int32
    let stdout: String
    let stderr: String

    var description: String {
        "status \(status)\n--- standard output\n\(stdout)\n--- standard error\n\(stderr)"
    }

    /// The lines of standard output.
    var lines: [String] {
        stdout.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// What was printed, read as JSON.
    func json() throws -> JSON {
        try JSON(parsing: stdout)
    }
}
