import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What Ctrl-C (SIGINT) and SIGTERM do: the process ends with status 130, or 143.
///
/// Usually it ends at once, and nothing needs to be put in order: a transaction that is not
/// committed was never there, and the next command finds the store as the last commit left it.
enum Interruption {
    static func exitOnSignal() {
        signal(SIGINT) { _ in _exit(130) }
        signal(SIGTERM) { _ in _exit(143) }
        // A reader that goes away (`tidemark dump | head`) ends the command quietly.
        signal(SIGPIPE, SIG_DFL)
    }

    /// Runs something that a signal cancels, so that it can give back what it has taken; a second
    /// signal ends the process at once.
    ///
    /// - Throws: ``Failure`` where a signal has ended it; what `body` throws.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let pipe = Pipe()
        let task = Task { try await body() }
        pipe.fileHandleForReading.readabilityHandler = { handle in
            _ = handle.availableData
            task.cancel()
        }
        alarm = pipe.fileHandleForWriting.fileDescriptor
        signal(SIGINT) { Interruption.note($0) }
        signal(SIGTERM) { Interruption.note($0) }
        defer {
            exitOnSignal()
            pipe.fileHandleForReading.readabilityHandler = nil
        }
        do {
            return try await task.value
        } catch {
            guard caught != 0 else { throw error }
            throw Failure(
                caught == SIGTERM ? .terminated : .interrupted,
                "Interrupted. What was stored stays; the next time it goes on from there."
            )
        }
    }

    // A signal's code may do next to nothing: it notes which one came, and writes a byte that
    // somebody waits for. Why unsafe: both are words, written before or by that code alone.

    nonisolated(unsafe) private static var alarm: Int32 = -1
    nonisolated(unsafe) private static var caught: Int32 = 0

    private static func note(_ number: Int32) {
        guard caught == 0 else { _exit(128 + number) }
        caught = number
        var byte: UInt8 = 1
        _ = write(alarm, &byte, 1)
    }
}
