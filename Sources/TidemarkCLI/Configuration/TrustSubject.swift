import TidemarkModel
import TidemarkRemote

/// A configuration, or the header fields for an origin, that a user can trust with environment
/// variables.
struct TrustSubject {
    /// The identity of the subject: the path of a file, or the origin of a URL with its variables.
    let identity: String

    /// The digest of the contents.
    ///
    /// A subject whose contents have changed is no longer trusted.
    let digest: String

    /// Whether the subject is an address without header fields, which refers to the whole origin.
    private let isWholeOrigin: Bool

    /// The name in messages, capitalized for the start of a sentence.
    let name: String

    /// The command that trusts the subject.
    let command: String

    /// Creates the subject for a configuration.
    init(_ file: ConfigurationFile) {
        identity = file.absolutePath
        isWholeOrigin = false
        digest = file.digest
        name = "The configuration"
        command = "tidemark trust"
    }

    /// Creates the subject for the header fields that are sent to an origin.
    init(_ headers: HeaderFields, to origin: Origin) {
        let lines = headers.lines.sorted().joined(separator: "\n")
        let names = Set(headers.requests.map(\.name)).sorted().map { "$\($0)" }
        identity = ([origin.description] + names).joined(separator: " ")
        isWholeOrigin = headers.isEmpty
        digest = lines.sha256
        name = "A header field for \(origin)"
        command = "tidemark trust \(origin) --header …"
    }

    /// Returns whether revoking this subject also revokes an entry of the list of trusted subjects.
    ///
    /// An address without header fields revokes all entries of its origin, so that the user need
    /// not remember which fields were trusted.
    func revokes(_ other: String) -> Bool {
        other == identity || (isWholeOrigin && other.hasPrefix("\(identity) "))
    }
}
