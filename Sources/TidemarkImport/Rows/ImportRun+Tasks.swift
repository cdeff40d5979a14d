import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The import of one object with all objects that are nested in it.
extension ImportRun {
    /// Imports an object with all objects that are nested in it, and returns its row; nil if it has
    /// none.
    ///
    /// Nested objects are imported by the loop in this method, not by recursion: see
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

    /// Starts the import of an object.
    ///
    /// A value of any other type has no row.
    ///
    /// The entity is that of the list or relationship that contains the object, unless the object
    /// names an entity that inherits from it.
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

    /// Returns a task for an object: that of the previous object at its depth, if both are of the
    /// same entity.
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

    // Not inlined: code that only reads `tasks` then needs no exclusivity check for writing.
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

    /// Starts the import of a nested object.
    ///
    /// The task resumes with its row.
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

    /// Performs the next steps of an object's import, until a nested object is started or the
    /// import is complete.
    private func advance(_ task: ObjectTask) throws {
        try receive(task)
        while true {
            switch task.step {
            case .parents:
                // The key may contain the parent's row number, so the parents come first.
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

    /// Processes the row of the nested object that was imported.
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
                        // It is deleted when it loses its last link, unlike a row without a key
                        // that the app has inserted.
                        try writer.markKeyless(row, in: table(of: relationship))
                    }
                }
                coverage?.add(relationship.layout, of: written.number, to: CollectionOfOne(row))
            }
            try noteGiven(task.place - 1, task)
        case .orphan(let relationship):
            // A child with the parent in its key has the reference already: see `holdContainer`.
            guard let row = importedRow, !task.key.isEmpty, !relationship.isParentInKey else {
                return
            }
            let destination = try entity(relationship.layout.destination)
            try holdParent(task.key, relationship, destination, of: row)
        }
    }

    // MARK: To-one relationships

    /// Finds the parents within which an object's key is unique.
    ///
    /// - Returns: Whether the import of a nested object was started.
    private func findParents(_ task: ObjectTask) throws -> Bool {
        let places = task.entity.plan.keyRelationships
        while task.place < places.count {
            let place = places[task.place]
            task.place += 1
            if try find(place, task) { return true }
        }
        return false
    }

    /// Resolves the values of an object's to-one relationships to row numbers, as far as that is
    /// possible before its own row is written.
    ///
    /// - Returns: Whether the import of a nested object was started.
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

    /// Finds the row of a to-one relationship.
    ///
    /// - Returns: Whether the import of a nested object was started.
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

    /// Starts the import of the object of a to-one relationship.
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

    /// Reads the key and the attributes; false if the object cannot be imported.
    private func readRow(_ task: ObjectTask) throws -> Bool {
        let (node, entity, frame) = (task.node, task.entity, task.frame)
        guard try readKey(node, entity, frame, task.context) else { return false }
        // Objects that are nested in an object whose row must stay unchanged are only marked as
        // seen.
        if try !mayWrite(entity, frame, task.context) { task.context.operations = [] }
        task.isWithheld =
            !task.context.isItem && !listed.isEmpty && listed.contains(entity.plan.index)
            && task.context.operations.remove(.insert) != nil
        if task.isWithheld { task.context.isListed = false }
        try readValues(node, entity, frame)
        return true
    }

    /// Writes the row, and chooses the step for nested objects; false if they are not processed.
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
                // The object that contains it gets a reference to a row that another import may
                // insert.
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

    /// Writes the links and lists of an object after its row was written.
    ///
    /// - Returns: Whether the import of a nested object was started.
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
                // An unresolved reference would replace the link as soon as its row is inserted.
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

    /// Writes an object without a key to the row that is already linked, or to a new row.
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

    /// Records that the document has specified the link of a row's to-one relationship.
    private func noteGiven(_ place: Int, _ task: ObjectTask) throws {
        // Only unresolved references could change such a link afterwards. Without any, the record
        // is not used.
        guard let written = task.written, task.entity.relationships[place].inverse != nil,
            try writer.hasAnyUnresolved()
        else { return }
        task.entity.given[place].insert(written.number)
    }

    // MARK: Lists

    /// Continues the list that is being imported, and links its rows at its end.
    ///
    /// - Returns: Whether the import of a nested object was started.
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
