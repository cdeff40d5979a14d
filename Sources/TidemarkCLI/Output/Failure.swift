import ArgumentParser
import Foundation
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// An error of the command itself, with its exit status.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    /// Lines that show where the error is; empty if the message is sufficient.
    let excerpt: String

    init(_ status: ExitStatus, _ message: String, excerpt: String = "") {
        self.status = status
        self.message = message
        self.excerpt = excerpt
    }

    /// Ends the process with one sentence on standard error and the exit status for the error.
    static func exit(for error: any Error) -> Never {
        guard let failure = Failure(error) else {
            TidemarkCommand.exit(withError: error)
        }
        if !failure.message.isEmpty {
            Console.log("tidemark: \(failure.message)")
            for line in failure.excerpt.split(separator: "\n") { Console.log(String(line)) }
        }
        TidemarkCommand.exit(withError: ExitCode(failure.status.rawValue))
    }

    /// Converts an error of the library; nil for an error of ArgumentParser.
    init?(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as ModelError: self.init(ExitStatus(error), error.description)
        case let error as StoreError: self.init(ExitStatus(error), error.description)
        case let error as RecordPredicateError:
            self.init(.usage, error.description, excerpt: error.excerpt)
        case let error as ImportError: self.init(ExitStatus(error), error.description)
        case let error as RemoteError: self.init(ExitStatus(error), error.description)
        case let error as SyncFailure:
            guard let first = error.report.failures.first.flatMap(Failure.init) else { return nil }
            self = first
        case let error as SyncError: self.init(ExitStatus(error), error.description)
        case let error as JSONError: self.init(.data, "The document is not valid JSON: \(error).")
        case let error as JSONItemsError: self.init(.data, error.description)
        case let error as DatabaseError: self.init(ExitStatus(error), Self.sentence(error))
        case is CancellationError: self.init(.interrupted, "Interrupted.")
        case let error as CocoaError: self.init(ExitStatus(error), error.localizedDescription)
        default: return nil
        }
    }

    /// Returns the message of SQLite without the statement and its values, which may be secret.
    private static func sentence(_ error: DatabaseError) -> String {
        let message = error.message ?? "error \(error.resultCode.rawValue)"
        return error.resultCode == .SQLITE_BUSY
            ? "The store is in use by another process. Try again later."
            : "SQLite reports an error: \(message)."
    }
}
