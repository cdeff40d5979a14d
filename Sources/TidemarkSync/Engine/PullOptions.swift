public import TidemarkImport

/// Options of a pull: which resources it reads, how, and what it may delete.
public struct PullOptions: Sendable, Hashable {
    /// The entities whose resources are pulled; nil for all.
    public var entities: Set<String>?

    /// Whether to read all lists completely, regardless of cursors and cached pages; the default
    /// is false.
    public var isFull = false

    /// How many rows a pull may delete without approval; nil for any number.
    ///
    /// By default, half of an entity's rows or up to 100, but not all of ten or more.
    public var deletionGuard: DeletionGuard? = DeletionGuard()

    /// The path of a list whose pending deletion is approved.
    ///
    /// Only this list is pulled, and its rows are deleted if the service still lacks them.
    var approvedDeletion: String?

    /// How the objects of lists are imported: what happens to invalid values and to unresolved
    /// references, and which operations are permitted.
    ///
    /// If these options change, all pages are read again. `ImportOptions.showsValues` is an
    /// exception: it applies to pages that are read anyway.
    ///
    /// ```swift
    /// var options = PullOptions()
    /// options.importing.invalid = .null
    /// ```
    public var importing = ImportOptions()

    /// Creates the default options, for the resources of some entities or of all.
    public init(only entities: Set<String>? = nil) {
        self.entities = entities
    }
}
