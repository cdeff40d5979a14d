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
/// All text for people passes here and is made harmless here: names, keys, paths and messages come
/// from services, documents and configurations of strangers, and must neither steer a terminal nor
/// forge a line. What programs read (JSON, CSV) is written byte for byte.
enum Console {
    /// A stream that results are printed on.
    enum Stream: Sendable {
        case output
        case error
    }

    /// Where results go: standard output, unless something else goes there.
    @TaskLocal static var resultStream = Stream.output

    /// How many characters a line for people has at most.
    private static let lineLimit = 4_000

    /// Keeps the numbers of standard input, output and error from files that are opened later:
    /// where one of them was closed (`>&-`), a result would be written into a socket or a store.
    static func reserveDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Reading from the one, and writing to the others, fails as before.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Prints a line of the result for people.
    static func line(_ text: String) throws {
        try put(Data((text.singleLine(limit: lineLimit) + "\n").utf8), to: resultStream)
    }

    /// Prints lines of the result for people, such as a table.
    ///
    /// None is cut.
    static func lines(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try put(Data(lines.map { String($0).singleLine() + "\n" }.joined().utf8), to: resultStream)
    }

    /// Prints a line of the result for programs, exactly as it is.
    static func raw(_ text: String) throws {
        try put(Data((text + "\n").utf8), to: resultStream)
    }

    /// Prints bytes of the result for programs, exactly as they are.
    static func raw(_ bytes: UnsafeRawBufferPointer) throws {
        try put(Data(bytes), to: resultStream)
    }

    /// Writes on a stream.
    ///
    /// A reader that goes away (`tidemark dump | head`) ends the command quietly, as SIGPIPE does
    /// where nothing ignores it: what speaks to a network has to.
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

    /// Prints a line that is not part of the result on standard error.
    static func note(_ text: String) {
        show(text.singleLine(limit: lineLimit) + "\n")
    }

    /// Writes on standard error, exactly and without ending the line.
    static func show(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            // There is no other place to report it, and the work is worth more than the remark.
        }
    }

    /// Asks the user at the terminal; without one, the answer is no.
    ///
    /// The question must reach a person: a pipe that says yes has read nothing.
    static func isConfirmed(_ question: String) -> Bool {
        guard isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
        note(question)
        return readLine() == "yes"
    }

    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
