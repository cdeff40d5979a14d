public import TidemarkStore

/// What a comparison of a store with its service has found.
public struct SyncVerification: Sendable {
    /// The rows that the store does not have as the service has them: *here* is the store, *there*
    /// what it would be if it were like the service.
    public var differences: StoreDifferences

    /// The rows that lack a link which the model requires, as the service has them.
    public var missingLinks: [MissingLink] = []

    /// How the service was read; where it could not be read to its end, the rest is not known.
    public var report: SyncReport

    /// Whether the store is like the service, as far as every resource was read to its end.
    public var isAlike: Bool { differences.isEmpty && report.isComplete }
}
