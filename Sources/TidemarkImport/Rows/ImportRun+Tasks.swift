import TidemarkModel
import TidemarkStore

/// The import of one object, with all that is nested in it.
extension ImportRun {
    /// Imports an object with all that is nested in it, and returns its row; nil when it has none.
    ///
    /// Objects nested in it are imported by this loop too, not by calls in each other: see
    /// ``ObjectTask``.
    func importObject(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext
    ) throws -> Int64? {
        let outer = depth
        try begin(node, entity, context)
        while depth > outer { try advance(tasks[depth - 1]) }
        return importedRow
    }

    /// Begins the import of an object; any other value has no row.
    ///
    /// It chooses the entity: that of the list or relationship that contains the object, unless the
    /// object names one that inherits from it.
    private func begin(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext
    ) throws {
        guard let discriminator = entity.plan.discriminator else {
            return try begin(node, of: entity, context)
        }
        guard let named = try namedEntity(node, entity) else {
            noteUnknownEntity(node, discriminator, entity)
            return try begin(node, of: entity, context)
        }
        var context = context
        context.isTyped = true
        try begin(node, of: named, context)
    }

    private func begin(
        _ node: JSONNode,
        of entity: EntityImport,
        _ context: ObjectContext
    ) throws {
        importedRow = nil
        if !refusedKey.isEmpty { refusedKey = [] }
        guard node.kind == .object else {
            try refuse("An object was expected here.", nil, node, entity, nil)
            return noteNameless(entity)
        }
        isNameless = false
        let task = task(node, entity, context)
        depth += 1
        readMembers(node, entity, task.frame)
        if let parent = context.parent { setParent(parent, entity, task.frame) }
    }

    /// The task for an object: that of the object of its depth before it, where both are of one
    /// entity.
    private func task(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext
    ) -> ObjectTask {
        guard depth < tasks.count, tasks[depth].entity === entity else {
            return newTask(node, entity, context)
        }
        let task = tasks[depth]
        task.begin(node, context)
        return task
    }

    // Not inlined: who only reads the tasks needs no check that nobody else writes them.
    @inline(never)
    private func newTask(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext
    ) -> ObjectTask {
        let task = ObjectTask(node, entity, context)
        if depth < tasks.count { tasks[depth] = task } else { tasks.append(task) }
        return task
    }

    /// Begins the import of a nested object; the task resumes with its row.
    func descend(
        _ task: ObjectTask,
        _ awaited: ObjectTask.Awaited,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ context: ObjectContext
    ) throws {
        task.awaited = awaited
        try begin(node, entity, context)
    }

    private func finish(_ task: ObjectTask, _ row: Int64?) {
        depth -= 1
        importedRow = row
    }

    /// Does what comes next for an object, until another is nested in it or it is done.
    private func advance(_ task: ObjectTask) throws {
        try receive(task)
        while true {
            switch task.step {
            case .parents:
                guard try !findParents(task) else { return }
                guard try readRow(task) else {
                    noteNameless(task.entity)
                    refusedKey = []
                    return finish(task, nil)
                }
                task.step = .toOne
                task.place = 0
            case .toOne:
                guard try !findLinked(task) else { return }
                guard try writeRow(task) else { return finish(task, nil) }
                task.place = 0
            case .links:
                guard try !writeLinks(task) else { return }
                return finish(task, task.written?.number)
            case .orphans:
                guard try !importOrphans(task) else { return }
                refusedKey = task.key
                isNameless = false
                return finish(task, nil)
            case .names:
                guard try !nameChildren(task) else { return }
                refusedKey = task.key
                isNameless = false
                return finish(task, task.written?.number)
            }
        }
    }

    /// Takes the row of the nested object that was imported.
    private func receive(_ task: ObjectTask) throws {
        let awaited = task.awaited
        task.awaited = .nothing
        switch awaited {
        case .nothing, .named:
            return
        case .one(let place):
            receive(importedRow, task.entity.relationships[place], task.frame, place)
        case .container(let place):
            let isKnown = importedRow != nil || !refusedKey.isEmpty
            if isKnown { noteContainer(importedRow.map(ToOne.row) ?? .missing, place, task) }
        case .element(let position):
            receiveElement(at: position, task)
        case .filling(let relationship, let linked):
            if let row = importedRow, let written = task.written {
                if linked == nil {
                    try writer.link(relationship.layout, of: written.number, to: row)
                    if !relationship.leadsToKeyless {
                        try writer.markKeyless(row, in: table(of: relationship))
                    }
                }
                coverage?.add(relationship.layout, of: written.number, to: CollectionOfOne(row))
            }
            try noteGiven(task.place - 1, task)
        case .orphan(let relationship):
            guard let row = importedRow, !task.key.isEmpty, !relationship.isParentInKey else {
                return
            }
            let destination = try entity(relationship.layout.destination)
            try holdParent(task.key, relationship, destination, of: row)
        }
    }

    // MARK: To-one relationships

    /// Finds the parents within which an object's key is unique; true when one is nested in it.
    private func findParents(_ task: ObjectTask) throws -> Bool {
        let places = task.entity.plan.keyRelationships
        while task.place < places.count {
            let place = places[task.place]
            task.place += 1
            if try find(place, task) { return true }
        }
        return false
    }

    /// Turns what an object says of its to-one relationships into row numbers, as far as that can
    /// be done before its own row is written; true when an object is nested in it.
    private func findLinked(_ task: ObjectTask) throws -> Bool {
        let (entity, frame) = (task.entity, task.frame)
        while task.place < entity.relationships.count {
            let place = task.place
            task.place += 1
            guard !frame.links[place].isAbsent, !entity.plan.keyRelationships.contains(place) else {
                continue
            }
            let relationship = entity.relationships[place]
            if relationship.isToMany {
                frame.links[place].pending = listSource(relationship, frame, place, task.node)
            } else if try find(place, task) {
                return true
            }
        }
        return false
    }

    /// Finds the row that a to-one relationship leads to; true when an object is nested in it.
    private func find(_ place: Int, _ task: ObjectTask) throws -> Bool {
        guard !task.frame.links[place].isAbsent else { return false }
        let parent = task.context.parent
        if parent?.relationship == place, let container = parent?.number {
            return try findContainer(container, place, task)
        }
        let relationship = task.entity.relationships[place]
        let outcome = try toOne(task.node, relationship, task.entity, task.frame, place)
        guard case .embedded(let value) = outcome else {
            apply(outcome, relationship, task.frame, place)
            return false
        }
        try descend(task, .one(place), value, relationship, .byKey)
        return true
    }

    /// Begins the import of the object of a to-one relationship.
    func descend(
        _ task: ObjectTask,
        _ awaited: ObjectTask.Awaited,
        _ object: JSONNode,
        _ relationship: RelationshipPlan,
        _ row: ObjectContext.Row
    ) throws {
        let child = ObjectContext(
            operations: task.context.operationsOnOne,
            row: row,
            parent: relationship.inverse.map {
                ObjectContext.ParentLink(relationship: $0, number: nil)
            }
        )
        try descend(task, awaited, object, entity(relationship.layout.destination), child)
    }

    // MARK: The row

    /// Reads the key and the attributes; false when the object cannot be imported.
    private func readRow(_ task: ObjectTask) throws -> Bool {
        let (node, entity, frame) = (task.node, task.entity, task.frame)
        guard try readKey(node, entity, frame, task.context) else { return false }
        // What is nested in an object whose row stays as it is is only named.
        if try !mayWrite(entity, frame, task.context) { task.context.operations = [] }
        task.isWithheld =
            !task.context.isItem && !listed.isEmpty && listed.contains(entity.plan.index)
            && task.context.operations.remove(.insert) != nil
        if task.isWithheld { task.context.isListed = false }
        try readValues(node, entity, frame)
        return true
    }

    /// Writes the row, and chooses what is done with what is nested in the object; false when that
    /// is nothing.
    private func writeRow(_ task: ObjectTask) throws -> Bool {
        let (entity, context) = (task.entity, task.context)
        let written = try write(task.node, entity, task.frame, context)
        if let written, written.isOfOtherEntity {
            mark(written.number, entity, isCounted: false)
        }
        guard let written, !written.isOfOtherEntity else {
            isNameless = false
            task.key = try keyValues(entity, task.frame)
            guard task.isWithheld || context.operations.contains(.insert) else {
                // The object that contains it refers to a row that another import may store.
                task.step = .names
                return true
            }
            if task.isWithheld { unlistedObjects += 1 }
            task.step = .orphans
            return true
        }
        let mayChange = written.isNew || context.operations.contains(.update)
        mark(written.number, entity, isCounted: mayChange && !written.isRefused)
        if let coverage, mayChange { record(written, entity, task.frame, in: coverage) }
        task.written = written
        task.step = mayChange ? .links : .names
        return true
    }

    // MARK: Links

    /// Does what remains of an object's relationships when its row is written; true when an object
    /// is nested in it.
    private func writeLinks(_ task: ObjectTask) throws -> Bool {
        guard let written = task.written else { return false }
        if let list = task.list, try resume(list, of: written, task) { return true }
        let frame = task.frame
        while task.place < task.entity.relationships.count {
            let place = task.place
            task.place += 1
            if case .none = frame.links[place].pending { continue }
            let relationship = task.entity.relationships[place]
            switch frame.links[place].pending {
            case .none:
                continue
            case .list(let token, let isReferences):
                let list = try openList(
                    at: token,
                    of: place,
                    isReferences: isReferences,
                    written,
                    task
                )
                task.list = list
                if try resume(list, of: written, task) { return true }
            case .one(.fill(let token)):
                try release(relationship, written)
                try fill(token, relationship, written, task)
                return true
            case .one(let link):
                try writeLink(link, relationship, frame, written)
                if let coverage { record(link, relationship, of: written.number, in: coverage) }
                try noteGiven(place, task)
            }
        }
        return false
    }

    /// Fills the row that is linked already with an object without a key, or links a new row.
    private func fill(
        _ token: Int,
        _ relationship: RelationshipPlan,
        _ written: Written,
        _ task: ObjectTask
    ) throws {
        let linked = try reader.linked(relationship.layout, of: written.number).first
        let child = ObjectContext(
            operations: task.context.operationsOnOne,
            row: linked.map(ObjectContext.Row.number) ?? .new
        )
        let destination = try entity(relationship.layout.destination)
        let object = task.node.node(at: token)
        try descend(task, .filling(relationship, linked), object, destination, child)
    }

    /// Tracks that a row has been given its one link.
    private func noteGiven(_ place: Int, _ task: ObjectTask) throws {
        // A row whose links nothing waits to change is not read.
        guard let written = task.written, task.entity.relationships[place].inverse != nil,
            try writer.hasAnyHeld()
        else { return }
        task.entity.given[place].insert(written.number)
    }

    // MARK: Lists

    /// Continues the list that is being imported, and links its rows at its end; true when its
    /// next element is an object.
    private func resume(
        _ list: ObjectList,
        of written: Written,
        _ task: ObjectTask
    ) throws -> Bool {
        while let (element, position) = list.elements.next() {
            guard let context = try elementContext(element, position, list) else { continue }
            try descend(task, .element(position), element, list.destination, context)
            return true
        }
        task.list = nil
        if try close(list) { task.entity.relinked.insert(written.number) }
        if !list.isAddition { task.entity.given[list.place].insert(written.number) }
        return false
    }
}
