import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A terminal for commands to talk to, and to be answered from.
final class Terminal {
    /// Where a command opens it.
    let path: String

    private let control: FileHandle

    /// Held open, lest it hangs up between two who open it.
    private let line: FileHandle

    init() throws {
        let number = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(number >= 0)
        control = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        try #require(grantpt(number) == 0 && unlockpt(number) == 0)
        path = String(cString: try #require(ptsname(number)))
        let other = open(path, O_RDWR | O_NOCTTY)
        try #require(other >= 0)
        line = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    }

    /// Types something.
    func type(_ text: String) throws {
        try control.write(contentsOf: Data(text.utf8))
    }
}
