public import TidemarkImport

/// What a pull did, resource by resource.
public struct SyncReport: Sendable {
    /// What became of each resource, by its path.
    public var resources: [String: ResourceReport] = [:]

    /// How many requests were sent, those tried again included.
    public var requests = 0

    /// How many bytes of documents came, decoded.
    public var bytes = 0

    /// How many references in the store wait for rows that are not here.
    public var waiting = 0

    /// Creates an empty report.
    public init() {}

    /// Whether every resource was pulled to its end.
    public var isComplete: Bool {
        resources.values.allSatisfy { $0.failure == nil }
    }

    /// What was done to the rows of all resources together.
    public var total: ImportReport {
        var total = ImportReport()
        for (_, resource) in resources.sorted(by: { $0.key < $1.key }) {
            total.add(resource.imported)
        }
        return total
    }

    /// What became of one resource.
    public struct ResourceReport: Sendable {
        /// The entity that its objects are.
        public var entity: String

        /// How many pages were read.
        public var pages = 0

        /// How many objects stood in them.
        public var items = 0

        /// What was done to the rows.
        public var imported = ImportReport()

        /// Why the resource was not pulled to its end; what came before stays.
        public var failure: (any Error)?

        /// Creates an empty report.
        public init(_ entity: String) {
            self.entity = entity
        }
    }
}
