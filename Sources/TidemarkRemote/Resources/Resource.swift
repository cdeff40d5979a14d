/// One list of a service: which entity it holds, where it stands and how it is read.
///
/// ``Service/resource(_:path:)`` makes one with the service's usual ways; change what differs.
public struct Resource: Hashable, Sendable {
    /// The entity that the objects belong to.
    public var entity: String

    /// The path below the service's URL, such as `films`; it may have a query.
    public var path: String

    /// Where the list stands in a document.
    public var envelope: Envelope

    /// How the list goes on after a page.
    public var pagination: Pagination

    /// The keys under which a document tells how many objects the whole list has, if it does.
    public var total: [String]?

    /// How the resource tells that an object is gone.
    public var deletes: Deletes

    /// Creates a resource.
    public init(
        entity: String,
        path: String,
        envelope: Envelope = .none,
        pagination: Pagination = .none,
        total: [String]? = nil,
        deletes: Deletes = .sweep
    ) {
        self.entity = entity
        self.path = path
        self.envelope = envelope
        self.pagination = pagination
        self.total = total
        self.deletes = deletes
    }
}
