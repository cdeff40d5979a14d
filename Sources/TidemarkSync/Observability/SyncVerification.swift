import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// The result of comparing a store with its service: see
/// ``SyncEngine/verify(only:importing:onEvent:)``.
public struct SyncVerification: Sendable {
    /// The rows that differ.
    ///
    /// *Here* is the store; *there* is what the store would contain if it were in sync with the
    /// service.
    public var differences: StoreDifferences

    /// The rows that lack a link which the model requires, in the data of the service.
    public var missingLinks: [MissingLink] = []

    /// How the service was read.
    ///
    /// Lists that could not be read to their ends were not compared completely.
    public var report: SyncReport

    /// Invalid values and objects of the service, which cannot be stored as they are.
    ///
    /// An invalid value differs from any stored value. An object that cannot be stored is not
    /// compared with a row.
    public var invalid: [Diagnostic] {
        report.total.diagnostics.filter { $0.severity == .error }
    }

    /// The names of the entities with objects that cannot be stored.
    public var skippedEntities: [String] {
        report.total.entities.filter { $0.value.skipped > 0 }.keys.sorted()
    }

    /// Whether the store is in sync with the service: every resource was read to its end, all
    /// objects can be stored, and no row differs.
    public var matches: Bool {
        differences.isEmpty && skippedEntities.isEmpty && report.isComplete
    }
}
