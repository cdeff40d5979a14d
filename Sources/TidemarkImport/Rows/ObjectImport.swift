import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of one object, and its progress.
///
/// An object is imported in the steps of ``Step``. Where it contains another object, the import
/// pauses: ``resume(with:)`` returns the nested object, and is called again with its result. Paused
/// imports are an array in memory (``ItemImport``) instead of calls on the stack: a document may be
/// nested as deep as `Limits.json.depth`, on threads whose stack has half a megabyte.
///
/// A class that is reused, because the objects at one depth are mostly of the same entity: the
/// values of an object then need no new memory.
final class ObjectImport {
    // Constants are read without retaining the objects that they refer to.
    let run: ImportRun
    let entity: EntityImport
    let frame: ObjectFrame

    private(set) var node: JSONNode
    var context: ObjectContext

    private var step = Step.parents

    /// The index of the next relationship.
    var nextRelationship = 0

    /// The purpose of the nested object that is being imported.
    private var awaited = Awaited.nothing

    /// The row, after it was written.
    private(set) var written: WrittenRow?

    /// The list that is being imported.
    var list: ObjectList?

    /// The elements of a list whose objects are stored without the row, or only marked as seen.
    var elements: ListElements?

    /// The primary key of a rejected row.
    private(set) var key: [StoredValue] = []

    /// The steps of an import in their order.
    ///
    /// The last three are alternatives.
    private enum Step {
        /// Finds the parents within which the object's key is unique.
        case parents
        /// Finds the rows of the to-one relationships.
        case toOne
        /// Writes the links.
        case links
        /// Stores nested objects without the row, which was rejected.
        case orphans
        /// Marks nested objects as seen, because the row must stay unchanged.
        case marks
    }

    /// The purpose of a nested object; relationships are specified by their index.
    enum Awaited {
        /// No nested object is being imported.
        case nothing
        /// The object of a to-one relationship.
        case one(Int)
        /// The object in the to-one relationship that leads back to the containing row.
        case container(Int)
        /// The element of the list at a position.
        case element(Int)
        /// The object without a key that is written to the row that is already linked, if any.
        case filled(Int, linked: Int64?)
        /// The object is nested in a rejected row.
        case orphan(Int)
        /// The object is only marked as seen.
        case mark
    }

    /// The state of an import that has paused or ended.
    enum Progress {
        /// This object has to be imported first.
        case nested(NestedObject)
        /// The object was imported.
        case finished(ImportedObject)
    }

    init(_ node: JSONNode, of entity: EntityImport, context: ObjectContext, in run: ImportRun) {
        self.run = run
        self.entity = entity
        self.node = node
        self.context = context
        frame = entity.takeFrame()
    }

    deinit { entity.giveBack(frame) }

    /// Starts over with another object of the entity.
    func reset(_ node: JSONNode, context: ObjectContext) {
        self.node = node
        frame.clear()
        self.context = context
        step = .parents
        nextRelationship = 0
        awaited = .nothing
        written = nil
        if list != nil { list = nil }
        elements = nil
        if !key.isEmpty { key = [] }
    }

    // MARK: Steps

    /// Performs the next steps, until a nested object has to be imported or the import is complete.
    ///
    /// - Parameter result: The result of the nested object that this import has waited for; nil at
    ///   the beginning.
    /// - Returns: The next nested object, or the result.
    /// - Throws: An error that ends the import of the document.
    func resume(with result: ImportedObject?) throws -> Progress {
        if let result { try receive(result) }
        while true {
            switch step {
            case .parents:
                // The key may contain the parent's row number, so the parents come first.
                if let object = try nextParent() { return .nested(object) }
                guard try readRow() else {
                    recordUnidentified()
                    return .finished(.unidentified)
                }
                step = .toOne
                nextRelationship = 0
            case .toOne:
                if let object = try nextLinked() { return .nested(object) }
                try writeRow()
                nextRelationship = 0
            case .links:
                if let object = try nextOfLinks() { return .nested(object) }
                return .finished(object(ofRow: written))
            case .orphans:
                if let object = try nextOrphan() { return .nested(object) }
                return .finished(.rejected(key: key))
            case .marks:
                if let object = try nextToMark() { return .nested(object) }
                return .finished(object(ofRow: written))
            }
        }
    }

    private func object(ofRow written: WrittenRow?) -> ImportedObject {
        written.map { .row($0.number, isUnchanged: $0.isRejected) } ?? .rejected(key: key)
    }

    /// Returns an object that has to be imported before this one can continue.
    func nested(
        _ object: JSONNode,
        of entity: EntityImport,
        context: ObjectContext,
        as purpose: Awaited
    ) -> NestedObject {
        awaited = purpose
        return NestedObject(node: object, entity: entity, context: context)
    }

    /// Processes the result of the nested object that this import has waited for.
    private func receive(_ result: ImportedObject) throws {
        switch awaited {
        case .nothing, .mark:
            return
        case .one(let relationship):
            try receive(result, as: entity.relationships[relationship])
        case .container(let relationship):
            receive(result, asContainerBy: entity.relationships[relationship])
        case .element(let position):
            receive(result, asElementAt: position)
        case .filled(let relationship, let linked):
            try receive(result, filling: entity.relationships[relationship], linked: linked)
        case .orphan(let relationship):
            try receive(result, asOrphanOf: entity.relationships[relationship])
        }
    }

    /// The relationship whose linked row the nested object is written to, which has no key.
    var filledRelationship: Int? {
        if case .filled(let relationship, _) = awaited { relationship } else { nil }
    }

    /// Returns the next object that is a parent within which this object's key is unique.
    private func nextParent() throws -> NestedObject? {
        let relationships = entity.plan.keyRelationships
        while nextRelationship < relationships.count {
            let relationship = entity.relationships[relationships[nextRelationship]]
            nextRelationship += 1
            if let object = try resolve(relationship) { return object }
        }
        return nil
    }

    /// Resolves to-one relationships to row numbers, as far as that is possible before the object's
    /// own row is written, and returns the next object that has to be imported for that.
    private func nextLinked() throws -> NestedObject? {
        while nextRelationship < entity.relationships.count {
            let index = nextRelationship
            nextRelationship += 1
            guard !frame.links[index].isAbsent, !entity.plan.keyRelationships.contains(index) else {
                continue
            }
            let relationship = entity.relationships[index]
            if relationship.isToMany {
                if !context.hasChosenLists || run.chosenLists.contains(index) {
                    frame.links[index].pending = listSource(relationship)
                }
            } else if let object = try resolve(relationship) {
                return object
            }
        }
        return nil
    }

    /// Reads the key and the attributes; false if the object cannot be imported.
    private func readRow() throws -> Bool {
        guard try readKey() else { return false }
        // Objects that are nested in an object whose row must stay unchanged are only marked as
        // seen.
        if try !mayWriteRow() { context.operations = [] }
        // An object that another list embeds may be outdated or incomplete: only the entity's own
        // list, which was read completely, decides which rows there are.
        if !context.isItem, !run.otherLists.entities.isEmpty,
            run.otherLists.entities.contains(entity.plan.index),
            context.operations.remove(.insert) != nil
        {
            context.isWithheld = true
            context.isListed = false
        }
        try readValues()
        return true
    }

    /// Writes the row, and chooses the step for nested objects.
    private func writeRow() throws {
        let row = try write()
        guard let row, !row.isOfOtherEntity else {
            if let row { recordSeen(row.number, isCounted: false) }
            key = try referenceKey()
            // Otherwise the containing object gets a reference to a row that another import may
            // insert.
            let isRejected = context.isWithheld || context.operations.contains(.insert)
            if context.isWithheld { run.otherLists.unstoredObjects += 1 }
            step = isRejected ? .orphans : .marks
            return
        }
        let mayChange = row.isNew || context.operations.contains(.update)
        recordSeen(row.number, isCounted: mayChange && !row.isRejected)
        if let coverage = run.importer.coverage, mayChange { record(row, in: coverage) }
        written = row
        step = mayChange ? .links : .marks
    }

    /// Records that the document contains a row.
    ///
    /// - Parameters:
    ///   - number: The row number.
    ///   - isCounted: Whether the row is counted as unchanged if nothing else happens to it.
    func recordSeen(_ number: Int64, isCounted: Bool) {
        entity.progress.insertSeen(number)
        if !isCounted { entity.progress.untouched.insert(number) }
    }

    /// Records that the document has an object whose row is unknown.
    func recordUnidentified() {
        if !entity.plan.key.isEmpty { entity.progress.hasUnidentifiedObject = true }
    }
}
