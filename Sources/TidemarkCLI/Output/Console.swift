import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Standard output and standard error.
///
/// All text for a terminal is sanitized here: names, keys, paths and messages come from services,
/// documents and configurations of third parties, and must not be able to send control sequences to
/// the terminal or forge a line. Output for programs (JSON, CSV) is written byte for byte.
enum Console {
    /// A stream on which results are printed.
    enum Stream: Sendable {
        case output
        case error
    }

    /// The stream for results.
    ///
    /// Standard error is used if standard output carries a change log.
    @TaskLocal static var resultStream = Stream.output

    /// The maximum number of characters of a line for people.
    private static let lineLimit = 4_000

    /// Opens /dev/null for each standard descriptor that is closed (`>&-`).
    ///
    /// Otherwise the next file or socket would get its number, and results would be written into a
    /// socket or a store.
    static func reserveDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The access mode is the wrong one on purpose: reading from standard input, and writing
            // to the others, keeps failing as with a closed descriptor.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Prints one line of the result for people.
    static func line(_ text: String) throws {
        try put(Data((text.singleLine(limit: lineLimit) + "\n").utf8), to: resultStream)
    }

    /// Prints several lines of the result for people, such as a table.
    ///
    /// Lines are not truncated.
    static func lines(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try put(Data(lines.map { String($0).singleLine() + "\n" }.joined().utf8), to: resultStream)
    }

    /// Prints one line of the result for programs, unchanged.
    static func raw(_ text: String) throws {
        try put(Data((text + "\n").utf8), to: resultStream)
    }

    /// Prints bytes of the result for programs, unchanged.
    static func raw(_ bytes: UnsafeRawBufferPointer) throws {
        try put(Data(bytes), to: resultStream)
    }

    /// Whether a person sees the result at once.
    static var isResultTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Clears the terminal that shows the result.
    static func clear() throws {
        // ECMA-48: the cursor moves to the top left corner (CUP), and the page is erased (ED).
        try put(Data("\u{1B}[H\u{1B}[2J".utf8), to: resultStream)
    }

    /// Writes data to a stream.
    ///
    /// If the reader has closed the pipe (`tidemark dump | head`), the command ends silently, as
    /// the default action of SIGPIPE would do. Networking code ignores that signal for the whole
    /// process, so that writing fails with EPIPE instead.
    static func put(_ data: Data, to stream: Stream) throws {
        let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
        let name = stream == .output ? "output" : "error"
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                _exit(128 + SIGPIPE)
            } else if errno != EINTR {
                throw Failure(
                    .inputOutput,
                    "Standard \(name) cannot be written: \(String(cString: strerror(errno))). Check "
                        + "where it is redirected to."
                )
            }
        }
    }

    /// Prints one line on standard error that is not part of the result.
    static func log(_ text: String) {
        show(text.singleLine(limit: lineLimit) + "\n")
    }

    /// Writes text on standard error, unchanged and without a line break.
    static func show(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            // The error cannot be reported anywhere else, and a lost remark must not fail the
            // command.
        }
    }

    /// Asks the user for confirmation at the terminal.
    ///
    /// Without a terminal, returns false.
    ///
    /// Standard input must be a terminal too: the output of `yes` is not the decision of a person
    /// who has read the question.
    static func isConfirmed(_ question: String) -> Bool {
        guard isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
        log(question)
        return readLine() == "yes"
    }

    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
