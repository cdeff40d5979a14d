import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of one object, and its progress.
///
/// The import of an object pauses at each nested object, and resumes with that object's row. Paused
/// tasks are an array in memory instead of calls on the stack: a document may be nested as deep as
/// `Limits.json.depth`, on threads whose stack has half a megabyte. Tasks are reused, because the
/// objects at one depth are mostly of the same entity.
final class ObjectTask {
    // Constants are read without retaining the objects that they refer to.
    let entity: EntityImport
    let frame: ObjectFrame

    private(set) var node: JSONNode
    var context: ObjectContext

    /// The next step.
    var step = Step.parents

    /// The index of the next relationship.
    var place = 0

    /// The purpose of the nested object that is being imported.
    var awaited = Awaited.nothing

    /// Whether the object is embedded in another list although its entity has a list of its own.
    ///
    /// Only that list inserts rows.
    var isWithheld = false

    /// The row, after it was written.
    var written: ImportRun.Written?

    /// The list that is being imported.
    var list: ObjectList?

    /// The elements of a list whose objects are stored without the row, or only marked as seen.
    var elements: ListElements?

    /// The primary key of a rejected row.
    var key: [StoredValue] = []

    /// The steps of an import in their order.
    ///
    /// The last three are alternatives.
    enum Step {
        /// Finds the parents within which the object's key is unique.
        case parents
        /// Finds the rows of the to-one relationships.
        case toOne
        /// Writes the links.
        case links
        /// Stores nested objects without the row, which was rejected.
        case orphans
        /// Marks nested objects as seen, because the row must stay unchanged.
        case names
    }

    /// The purpose of a nested object.
    enum Awaited {
        /// No nested object is being imported.
        case nothing
        /// The object of a to-one relationship, by its index.
        case one(Int)
        /// The object in the to-one relationship that leads back to the containing row, by its
        /// index.
        case container(Int)
        /// The element of the list at a position.
        case element(Int)
        /// The object is written to the row that is already linked, if any.
        case filling(RelationshipPlan, Int64?)
        /// The object is nested in a rejected row.
        case orphan(RelationshipPlan)
        /// The object is only marked as seen.
        case named
    }

    init(_ node: JSONNode, _ entity: EntityImport, _ context: ObjectContext) {
        self.node = node
        self.entity = entity
        self.context = context
        frame = entity.takeFrame()
    }

    deinit { entity.giveBack(frame) }

    /// Restarts the task with another object of the entity.
    func begin(_ node: JSONNode, _ context: ObjectContext) {
        self.node = node
        frame.clear()
        self.context = context
        step = .parents
        place = 0
        awaited = .nothing
        isWithheld = false
        written = nil
        if list != nil { list = nil }
        elements = nil
        if !key.isEmpty { key = [] }
    }
}

/// The list of a to-many relationship that is being imported, and its progress.
final class ObjectList {
    /// The relationship, and its index among those of the row's entity.
    let relationship: RelationshipPlan
    let place: Int

    /// The value in the document: an array, or a single element.
    let value: JSONNode

    /// Whether the list is under the name for references.
    ///
    /// Rows that were removed from it are then only unlinked.
    let isReferences: Bool

    /// The entity of the list's rows, and whether it has no primary key.
    let destination: EntityImport
    let isKeyless: Bool

    /// The row that the list belongs to.
    let parent: ImportRun.Written

    /// The object that contains the list, for diagnostics.
    let owner: Owner

    struct Owner {
        let node: JSONNode
        let entity: EntityImport
        let frame: ObjectFrame
    }

    /// The allowed operations on the list's rows.
    let operations: ImportOperations

    /// Whether the list does not specify all linked rows: rows that it lacks stay linked.
    let isAddition: Bool

    /// The context of the list's objects.
    let child: ObjectContext

    /// The elements that have not been imported yet.
    var elements: ListElements

    /// The rows of the elements so far.
    private(set) var members: ListMembers

    /// Whether all elements were objects.
    var isOfObjects = true

    /// Whether the row of each element is known.
    ///
    /// If not, the list removes no row, because an unknown element may refer to it.
    var isCertain = true

    /// The stored children without a key that no element has been compared with yet.
    var unmatched = UnmatchedChildren()

    /// The number of elements without a key so far, and the total number, not counting null.
    private var takenCount = 0
    private lazy var count: Int = {
        var elements = ListElements(value)
        var count = 0
        while let (element, _) = elements.next() { count += element.kind == .null ? 0 : 1 }
        return count
    }()

    init(
        _ value: JSONNode,
        of place: Int,
        isReferences: Bool,
        _ destination: EntityImport,
        _ parent: ImportRun.Written,
        _ task: ObjectTask,
        _ members: ListMembers
    ) {
        let (entity, frame) = (task.entity, task.frame)
        relationship = entity.relationships[place]
        self.place = place
        self.value = value
        self.isReferences = isReferences
        self.destination = destination
        isKeyless = destination.plan.key.isEmpty
        self.parent = parent
        owner = Owner(node: task.node, entity: entity, frame: frame)
        operations = task.context.operations.nested
        isAddition = task.context.parent?.relationship == place || frame.links[place].isRepeated
        var child = ObjectContext(operations: operations, isListed: true)
        if let inverse = relationship.inverse {
            child.parent = ObjectContext.ParentLink(
                relationship: inverse,
                number: relationship.ownsLinkedRows ? parent.number : nil
            )
        }
        self.child = child
        elements = ListElements(value)
        self.members = members
    }

    /// Whether rows that the list lacks stay linked, as far as is known from the elements so far.
    var onlyAdds: Bool {
        // Children without a key are part of their parent's value: an import that may not write
        // them must not remove them either.
        let isUntouchable = isKeyless && operations.isDisjoint(with: [.insert, .update])
        return isAddition || !isCertain || isUntouchable
    }

    /// Adds the row of an element.
    func add(_ row: Int64, at place: Int) { members.add(row, at: place) }

    /// Adds the key of an element whose row is not stored.
    func addMissing(_ key: [StoredValue], at place: Int) { members.addMissing(key, at: place) }

    /// Removes and returns the rows of the elements, at the end of the list.
    func takeMembers() -> ListMembers {
        var taken = ListMembers()
        swap(&taken, &members)
        return taken
    }

    /// Returns which row the next element without a key is compared with.
    ///
    /// The elements are counted only if one may be rejected because of a unique value.
    func nextRow() -> ObjectContext.Row {
        takenCount += 1
        let isUnique = !destination.table.uniques.isEmpty
        return unmatched.next(followedBy: isUnique ? count - takenCount : 0)
    }

    /// Skips an element without a key that could not be stored.
    ///
    /// It is not certain which of the stored children it refers to, so the list removes none.
    func rejectElement() {
        isCertain = false
        unmatched.reject(followedBy: count - takenCount)
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
