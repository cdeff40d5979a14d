public import TidemarkImport

/// Options of a pull: which resources it reads, how, and what it may delete.
///
/// The default options pull all resources, request changes where the service reports them, and keep
/// rows whose deletion looks like an error. They are a value: two pulls with equal options at the
/// same time are one pull.
///
/// ```swift
/// var options = PullOptions()
/// options.only = ["Article", "Author"]
/// options.deletionGuard = DeletionGuard(share: 0.1, rows: 20)
/// let report = try await engine.pull(with: options)
/// ```
public struct PullOptions: Sendable, Hashable {
    /// The entities whose resources are pulled; nil, the default, for all.
    ///
    /// The names must be those of the resources: entities that inherit from them do not count. If
    /// no resource has one of the entities, the pull throws ``SyncError/Code/nothingToPull``.
    public var only: Set<String>?

    /// Whether to read all lists completely, regardless of cursors and cached pages; the default is
    /// false.
    ///
    /// Set it if the service has changed data without reporting it, such as after its database was
    /// restored. The pull costs as much as the first one, and deletes rows that the lists do not
    /// contain, subject to ``deletionGuard``. For a regular full read, set
    /// `ResourceStyle.fullInterval` instead.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.isFull = true
    /// let report = try await engine.pull(with: options)
    /// print(report.bytes)
    /// ```
    public var isFull = false

    /// How many rows a pull may delete without approval; nil for any number.
    ///
    /// By default, half of an entity's rows or up to 100, but not all of ten or more. A larger
    /// deletion is pending: the rows stay, ``SyncReport/pendingDeletions`` lists it, and
    /// ``SyncEngine/approveDeletion(of:with:)`` carries it out. The guard protects against services
    /// that return an empty list by mistake. Set it to nil where a mirror must be exact, such as in
    /// tests.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.deletionGuard = nil    // delete whatever the service does not list
    /// ```
    public var deletionGuard: DeletionGuard? = DeletionGuard()

    /// The path of a list whose pending deletion is approved.
    ///
    /// Only this list is pulled, and its rows are deleted if the service still lacks them.
    var approvedDeletion: String?

    /// How the objects of lists are imported: what happens to invalid values and to unresolved
    /// references, and which operations are permitted.
    ///
    /// If these options change, all pages are read again, because rows of cached pages were
    /// imported with others. `ImportOptions.showsValues` is an exception: it applies to pages that
    /// are read anyway.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.importing.invalid = .null
    /// ```
    public var importing = ImportOptions()

    /// Creates the default options, for the resources of some entities or of all.
    ///
    /// ```swift
    /// let report = try await engine.pull(with: PullOptions(only: ["Article"]))
    /// ```
    ///
    /// - Parameter entities: The entities whose resources are pulled; nil for all.
    public init(only entities: Set<String>? = nil) {
        only = entities
    }
}
