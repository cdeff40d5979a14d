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
        try put(Data((text + "\n").utf8))
    }

    /// Prints bytes of the result.
    static func result(_ bytes: UnsafeRawBufferPointer) throws {
        try put(Data(bytes))
    }

    /// A reader that goes away (`tidemark dump | head`) ends the command quietly, as SIGPIPE does
    /// where nothing ignores it: what speaks to a network has to.
    private static func put(_ data: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: data)
        } catch let error where error.isBrokenPipe {
            _exit(128 + SIGPIPE)
        }
    }

    /// Tells something that is not the result.
    static func note(_ text: String) {
        write(text.harmless + "\n")
    }

    /// Writes on standard error without ending the line.
    static func write(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            // There is no other place to say so, and the work is worth more than the remark.
        }
    }

    /// Asks somebody who sits there; where nobody does, that is a no.
    ///
    /// Who reads the question must be who answers it: a pipe that says yes has read nothing.
    static func isConfirmed(_ question: String) -> Bool {
        guard isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
        note(question)
        return readLine() == "yes"
    }

    /// Whether somebody sits at the end of standard error.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

extension Error {
    /// Whether nobody reads any more what is written.
    fileprivate var isBrokenPipe: Bool {
        let error = self as NSError
        if error.domain == NSPOSIXErrorDomain { return error.code == Int(EPIPE) }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.isBrokenPipe ?? false
    }
}
