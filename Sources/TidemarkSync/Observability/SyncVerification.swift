import TidemarkImport
public import TidemarkModel
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

    /// What the service has that cannot be stored as it is: invalid values and objects.
    ///
    /// A value that cannot be stored differs from any stored one; an object that cannot be stored
    /// is compared with no row.
    public var invalid: [Diagnostic] {
        report.total.diagnostics.filter { $0.severity == .error }
    }

    /// The entities of which the service has objects that cannot be stored, by name.
    public var skippedEntities: [String] {
        report.total.entities.filter { $0.value.skipped > 0 }.keys.sorted()
    }

    /// Whether the store is like the service, as far as every resource was read to its end and its
    /// objects can be stored.
    public var matches: Bool {
        differences.isEmpty && skippedEntities.isEmpty && report.isComplete
    }
}
