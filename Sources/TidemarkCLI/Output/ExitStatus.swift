import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// The exit status of the command, with the numbers of BSD's sysexits.h.
enum ExitStatus: Int32 {
    /// `verify` found differences. The status is that of `diff` and `cmp`.
    case different = 1
    case usage = 64
    case data = 65
    case notFound = 66
    case unavailable = 69
    case `internal` = 70
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    case notAllowed = 77
    case interrupted = 130
    case terminated = 143

    init(_ error: ModelError) {
        self = error.code == .notFound ? .notFound : .data
    }

    init(_ error: StoreError) {
        switch error.code {
        case .notFound, .unknownEntity, .rowNotFound: self = .notFound
        case .invalidLocator, .unknownAttribute: self = .usage
        case .deletionDenied, .permissionDenied, .unpushedChanges: self = .notAllowed
        case .cannotCreate: self = .cannotCreate
        case .outdated: self = .tryAgain
        default: self = .data
        }
    }

    init(_ error: ImportError) {
        switch error.code {
        case .needsParent, .ambiguousParent: self = .usage
        default: self = .data
        }
    }

    init(_ error: RemoteError) {
        switch error.code {
        case .unreachable, .connectionFailed, .timedOut, .truncated, .serverError:
            self = .unavailable
        case .rateLimited: self = .tryAgain
        case .unauthorized, .tlsFailed, .redirectRejected, .linkRejected: self = .notAllowed
        case .notFound: self = .notFound
        case .invalidRequest: self = .usage
        default: self = .data
        }
    }

    init(_ error: SyncError) {
        switch error.code {
        case .leaseLost, .busy: self = .tryAgain
        case .serviceMismatch, .notAdoptable: self = .notAllowed
        case .noSuchObject: self = .notFound
        default: self = .usage
        }
    }

    init(_ error: DatabaseError) {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .tryAgain
        case .SQLITE_IOERR, .SQLITE_FULL: self = .inputOutput
        case .SQLITE_CANTOPEN: self = .cannotCreate
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .notAllowed
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT: self = .data
        default: self = .internal
        }
    }

    init(_ error: CocoaError) {
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: self = .notFound
        case .fileReadNoPermission, .fileWriteNoPermission: self = .notAllowed
        default: self = .inputOutput
        }
    }
}
