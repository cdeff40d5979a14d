import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The list of a to-many relationship that is being imported, and its progress.
final class ObjectList {
    let relationship: RelationshipPlan

    /// The value in the document: an array, or a single element.
    let value: JSONNode

    /// Whether the list is under the name for references.
    ///
    /// Rows that were removed from it are then only unlinked.
    let isReferences: Bool

    /// Whether the list does not specify all linked rows: rows that it lacks stay linked.
    let isAddition: Bool

    /// The entity of the list's rows.
    let destination: EntityImport

    /// The context of the list's objects.
    let child: ObjectContext

    /// The elements that have not been imported yet.
    var elements: ListElements

    /// The rows of the elements so far.
    var members: ListMembers

    /// What the elements so far are.
    var contents = Contents.linkedObjects

    /// Whether the row of each element is known.
    ///
    /// If not, the list removes no row, because an unknown element may refer to it.
    var isCertain = true

    /// The stored children without a key that no element has been compared with yet.
    var unmatched = UnmatchedChildren()

    /// The number of elements that follow the current one, not counting null; nil as long as they
    /// were not counted.
    private var followingCount: Int?

    /// What the elements of a list are.
    enum Contents {
        /// All are objects, whose rows were written with the link to the list's object.
        case linkedObjects
        /// All are objects, but the rows of some were left unchanged.
        case objects
        /// Some are references.
        case references
    }

    init(
        _ value: JSONNode,
        of relationship: RelationshipPlan,
        isReferences: Bool,
        isAddition: Bool,
        destination: EntityImport,
        child: ObjectContext
    ) {
        self.relationship = relationship
        self.value = value
        self.isReferences = isReferences
        self.isAddition = isAddition
        self.destination = destination
        self.child = child
        elements = ListElements(value)
        members = destination.takeMembers()
    }

    /// Whether the list's objects have no primary key.
    var isKeyless: Bool { destination.plan.key.isEmpty }

    /// Whether rows that the list lacks stay linked, as far as is known from the elements so far.
    var onlyAdds: Bool {
        // Children without a key are part of their parent's value: an import that may not write
        // them must not remove them either.
        isAddition || !isCertain || isKeyless && !child.mayWrite
    }

    /// Whether the children that were removed from the list are deleted.
    var deletesRemoved: Bool {
        contents != .references && !isReferences && !relationship.keepsOrphans
            && child.operations.contains(.deleteRelationships)
    }

    /// Returns which row the next element without a key is compared with.
    ///
    /// The elements are counted only if one may be rejected because of a unique value.
    func nextRow() -> ObjectContext.Row {
        followingCount = followingCount.map { $0 - 1 }
        let isUnique = !destination.rows.table.uniques.isEmpty
        return unmatched.next(followedBy: isUnique ? countFollowing() : 0)
    }

    /// Skips an element without a key that could not be stored.
    ///
    /// It is not certain which of the stored children it refers to, so the list removes none.
    func rejectElement() {
        isCertain = false
        unmatched.reject(followedBy: countFollowing())
    }

    private func countFollowing() -> Int {
        if let followingCount { return followingCount }
        var count = 0
        var following = elements
        while let (element, _) = following.next() { count += element.kind == .null ? 0 : 1 }
        followingCount = count
        return count
    }
}

/// The elements of a list with their positions.
///
/// A single value is a list of one element, and null is an empty list.
struct ListElements {
    private let node: JSONNode
    private var index: Int
    private let end: Int
    private var position = 0

    init(_ node: JSONNode) {
        self.node = node
        switch node.kind {
        case .array: (index, end) = (node.firstChild, node.next)
        case .null: (index, end) = (node.index, node.index)
        case .object, .string, .number, .true, .false: (index, end) = (node.index, node.index + 1)
        }
    }

    mutating func next() -> (element: JSONNode, position: Int)? {
        guard index < end else { return nil }
        let element = node.node(at: index)
        defer { position += 1 }
        index = element.next
        return (element, position)
    }
}
