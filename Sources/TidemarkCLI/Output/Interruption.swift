import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The handling of Ctrl-C (SIGINT) and SIGTERM: the process ends with status 130 or 143.
///
/// By default it ends at once, without cleanup: a transaction that is not committed is rolled back,
/// and the next command finds the store as of the last commit.
enum Interruption {
    static func exitOnSignal() {
        signal(SIGINT) { _ in _exit(130) }
        signal(SIGTERM) { _ in _exit(143) }
        // If the reader closes the pipe (`tidemark dump | head`), the command ends silently.
        signal(SIGPIPE, SIG_DFL)
        // A write that exceeds the limit on file size (`ulimit -f`) fails with an error instead of
        // ending the process: SQLite rolls the transaction back, and the command reports it.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Runs an operation that a signal cancels, so that it can release its lease.
    ///
    /// A second signal ends the process at once.
    ///
    /// - Parameters:
    ///   - consequence: A sentence about what an interruption means for the work done so far.
    ///   - body: The operation.
    /// - Returns: The result of `body`.
    /// - Throws: ``Failure`` if a signal ended the operation; the errors of `body`.
    static func cancelling<Result: Sendable>(
        consequence: String,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let caught = Locked<Int32?>(nil)
        let sources = [SIGINT, SIGTERM].map { number in
            watch(number) {
                guard caught.withLock({ $0 }) == nil else { _exit(128 + number) }
                caught.withLock { $0 = number }
                task.cancel()
            }
        }
        defer {
            for source in sources { source.cancel() }
            exitOnSignal()
        }
        do {
            return try await task.value
        } catch {
            guard let number = caught.withLock({ $0 }) else { throw error }
            throw Failure(
                number == SIGTERM ? .terminated : .interrupted,
                "Interrupted. \(consequence)"
            )
        }
    }

    /// Calls a handler when a signal is received, instead of the signal's default action.
    private static func watch(
        _ number: Int32,
        onSignal: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // A dispatch source observes a signal but does not replace its action.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: signals)
        source.setEventHandler(handler: onSignal)
        source.resume()
        return source
    }

    private static let signals = DispatchQueue(label: "tidemark.signals")
}
