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
        // A limit on the size of files (`ulimit -f`) becomes an error of the write that exceeds it:
        // SQLite rolls the transaction back, and the command says so.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Runs something that a signal cancels, so that it can give back what it has taken; a second
    /// signal ends the process at once.
    ///
    /// - Parameters:
    ///   - consequence: What an interruption means for what was done so far, in a sentence.
    ///   - body: What runs.
    /// - Returns: What `body` returns.
    /// - Throws: ``Failure`` where a signal has ended it; what `body` throws.
    static func cancelling<Result: Sendable>(
        _ consequence: String,
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

    /// Calls somebody whenever a signal comes, in place of what it does otherwise.
    private static func watch(
        _ number: Int32,
        _ note: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: signals)
        source.setEventHandler(handler: note)
        source.resume()
        return source
    }

    private static let signals = DispatchQueue(label: "tidemark.signals")
}
