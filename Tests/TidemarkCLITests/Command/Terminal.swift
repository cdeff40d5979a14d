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
        var (near, far): (Int32, Int32) = (-1, -1)
        try #require(openpty(&near, &far, nil, nil, nil) == 0)
        control = FileHandle(fileDescriptor: near, closeOnDealloc: true)
        line = FileHandle(fileDescriptor: far, closeOnDealloc: true)
        path = String(cString: try #require(ttyname(far)))
    }

    /// What was printed since this was read last.
    ///
    /// The terminal keeps no more than a few screens, so a command that prints more waits for ever.
    func printed() throws -> String {
        let descriptor = control.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        defer { _ = fcntl(descriptor, F_SETFL, flags) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Types something.
    func type(_ text: String) throws {
        try control.write(contentsOf: Data(text.utf8))
    }
}
