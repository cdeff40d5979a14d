import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Standard output and standard error.
enum Console {
    /// Prints a line of the result.
    static func result(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Prints bytes of the result.
    static func result(_ bytes: UnsafeRawBufferPointer) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }

    /// Tells something that is not the result.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text.harmless + "\n").utf8))
    }

    /// Writes on standard error without ending the line.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Asks somebody who sits there; where nobody does, that is a no.
    static func isConfirmed(_ question: String) -> Bool {
        guard isTerminal else { return false }
        note(question)
        return readLine() == "yes"
    }

    /// Whether somebody sits at the end of standard error.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
