import Foundation

/// The result of a command: its exit status and its output.
struct Outcome: Sendable, CustomStringConvertible {
    /// The exit status, or 128 plus the number of the signal that ended the process, as in a shell.
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

    /// Returns standard output, decoded as JSON.
    func json() throws -> JSON {
        try JSON(parsing: stdout)
    }
}
