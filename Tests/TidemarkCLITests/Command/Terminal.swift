import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A pseudoterminal that serves as the terminal of a command.
final class Terminal {
    /// The path of the terminal device, which a command opens.
    let path: String

    private let control: FileHandle

    /// The device, kept open so that the terminal does not hang up between two commands.
    private let line: FileHandle

    init() throws {
        var (near, far): (Int32, Int32) = (-1, -1)
        try #require(openpty(&near, &far, nil, nil, nil) == 0)
        control = FileHandle(fileDescriptor: near, closeOnDealloc: true)
        line = FileHandle(fileDescriptor: far, closeOnDealloc: true)
        path = String(cString: try #require(ttyname(far)))
    }

    /// Returns what was printed since the previous call.
    ///
    /// The terminal buffers no more than a few screens, so a command that prints more waits
    /// forever.
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

    /// Sends text to the command as if it were typed.
    func type(_ text: String) throws {
        try control.write(contentsOf: Data(text.utf8))
    }
}
