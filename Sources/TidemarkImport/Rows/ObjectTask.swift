import TidemarkModel
import TidemarkStore

/// An object that is being imported, and how far its import has come.
///
/// The import of an object stops at each object nested in it, and resumes with that one's row. The
/// objects that wait are a list in memory, not calls on the stack: a document may be nested as
/// deep as `Limits.jsonDepth`, on threads whose stack has half a megabyte. Tasks are used again, as
/// objects of one depth are mostly of one entity.
final class ObjectTask {
    // What never changes is read without counting a reference.
    let entity: EntityImport
    let frame: ObjectFrame

    private(set) var node: JSONNode
    var context: ObjectContext

    /// What is done next.
    var step = Step.parents

    /// The relationship that is done next, by its place.
    var place = 0

    /// What becomes of the nested object that is being imported.
    var awaited = Awaited.nothing

    /// Whether it is embedded, of an entity with a list of its own: only that list inserts rows.
    var isWithheld = false

    /// The row, when it is written.
    var written: ImportRun.Written?

    /// The list that is being imported.
    var list: ObjectList?

    /// The elements of a list that are stored without the row, or only named.
    var elements: ListElements?

    /// The key of a refused row.
    var key: [StoredValue] = []

    /// The steps of an import, in their order; the last three exclude each other.
    enum Step {
        /// The parents within which its key is unique are found.
        case parents
        /// The rows of its to-one relationships are found.
        case toOne
        /// Its links are written.
        case links
        /// Its row is refused: what is nested in it is stored without it.
        case orphans
        /// Its row stays unchanged: what is nested in it is only named.
        case names
    }

    /// What a nested object is for.
    enum Awaited {
        /// None is being imported.
        case nothing
        /// It is the one object of a to-one relationship, by its place.
        case one(Int)
        /// It stands in the to-one relationship that leads back to the row which contains the
        /// object, by its place.
        case container(Int)
        /// It is an element of the list, at a position.
        case element(Int)
        /// It fills the row that is linked already, if any.
        case filling(RelationshipPlan, Int64?)
        /// It is nested in a refused row.
        case orphan(RelationshipPlan)
        /// It is only named.
        case named
    }

    init(_ node: JSONNode, _ entity: EntityImport, _ context: ObjectContext) {
        self.node = node
        self.entity = entity
        self.context = context
        frame = entity.takeFrame()
    }

    deinit { entity.giveBack(frame) }

    /// Begins again, with another object of the entity.
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

/// The list of a to-many relationship that is being imported, and how far.
final class ObjectList {
    /// The relationship, and its place among those of the row's entity.
    let relationship: RelationshipPlan
    let place: Int

    /// The value in the document: an array, or one of its elements alone.
    let value: JSONNode

    /// Whether it stands under the name for references: rows that left it are then only unlinked.
    let isReferences: Bool

    /// The entity of the rows in it, and whether they have no key.
    let destination: EntityImport
    let isKeyless: Bool

    /// The row whose list it is.
    let parent: ImportRun.Written

    /// The object that has the list, which diagnostics name.
    let owner: Owner

    struct Owner {
        let node: JSONNode
        let entity: EntityImport
        let frame: ObjectFrame
    }

    /// What may be done with the rows in it.
    let operations: ImportOperations

    /// Whether it does not say which rows are in it: rows that it lacks stay linked.
    let isAddition: Bool

    /// How its elements that are objects are imported.
    let child: ObjectContext

    /// The elements that come next.
    var elements: ListElements

    /// The rows that the elements so far have.
    private(set) var members: ListMembers

    /// Whether all of the elements were objects.
    var isOfObjects = true

    /// Whether it is known which row each element is: else the list takes no row away, as that may
    /// be the one.
    var isCertain = true

    /// The stored children without a key that no element has been compared with yet.
    var unmatched = UnmatchedChildren()

    /// How many elements without a key have been taken, and how many there are, but for null.
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

    /// Whether rows that it lacks stay linked, as far as its elements have shown.
    var onlyAdds: Bool {
        // Children without a key are part of their parent's value: who may not write them, keeps
        // all.
        let isUntouchable = isKeyless && operations.isDisjoint(with: [.insert, .update])
        return isAddition || !isCertain || isUntouchable
    }

    /// Adds the row of an element.
    func add(_ row: Int64, at place: Int) { members.add(row, at: place) }

    /// Adds the key of an element whose row is not here.
    func addMissing(_ key: [StoredValue], at place: Int) { members.addMissing(key, at: place) }

    /// Takes out the rows that the elements have, at its end.
    func takeMembers() -> ListMembers {
        var taken = ListMembers()
        swap(&taken, &members)
        return taken
    }

    /// Which row the next element without a key is.
    ///
    /// The elements are counted only where one may be refused for a unique value.
    func nextRow() -> ObjectContext.Row {
        takenCount += 1
        let isUnique = !destination.table.uniques.isEmpty
        return unmatched.next(followedBy: isUnique ? count - takenCount : 0)
    }

    /// Passes an element without a key that becomes no row: which of the stored children it is, is
    /// not known for sure, so the list removes none.
    func rejectElement() {
        isCertain = false
        unmatched.reject(followedBy: count - takenCount)
    }
}

/// The elements of a list with their positions; a single value is a list of one, and null has none.
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
