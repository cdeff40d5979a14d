import TidemarkRemote

/// What may be trusted with variables of the environment: a configuration, or the header fields
/// that are sent to an address.
struct TrustSubject {
    /// What it is known by: the path of a file, or the origin of an address.
    let place: String

    /// The digest of what it says: what has changed is not trusted.
    let digest: FileDigest

    /// Whether it is an address without header fields: all of the origin.
    private let isWholeOrigin: Bool

    /// What messages call it, at the start of a sentence.
    let name: String

    /// The command that trusts it.
    let command: String

    /// A configuration.
    init(_ file: ConfigurationFile) {
        place = file.place
        isWholeOrigin = false
        digest = file.digest
        name = "The configuration"
        command = "tidemark trust"
    }

    /// The header fields that are sent to an origin.
    init(_ headers: HeaderFields, to origin: Origin) {
        let lines = headers.lines.sorted().joined(separator: "\n")
        let names = Set(headers.requests.map(\.name)).sorted().map { "$\($0)" }
        place = ([origin.description] + names).joined(separator: " ")
        isWholeOrigin = headers.isEmpty
        digest = FileDigest(lines.utf8)
        name = "A header field for \(origin)"
        command = "tidemark trust \(origin) --header …"
    }

    /// Whether an entry of the list of trusted subjects is revoked with this one.
    ///
    /// An address without header fields revokes all entries of its origin: the user need not
    /// remember which fields were trusted.
    func revokes(_ place: String) -> Bool {
        place == self.place || (isWholeOrigin && place.hasPrefix("\(self.place) "))
    }
}
