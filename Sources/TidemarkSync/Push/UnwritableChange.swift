import TidemarkImport
import TidemarkRemote

/// An error about one change: no request can be made of it.
protocol UnwritableChange: Error {
    /// The reason, as a sentence.
    var message: String { get }
}

extension ImportError: UnwritableChange {}
extension RemoteError: UnwritableChange {}
