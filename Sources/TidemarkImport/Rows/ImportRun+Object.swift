import GRDB
import TidemarkModel
import TidemarkStore

/// How an object comes to be imported.
struct ObjectContext {
    /// What may be done with its row.
    var operations: ImportOperations

    /// Which row it is, where its key does not tell.
    var row = Row.byKey

    /// The link to the object that contains it.
    var parent: ParentLink?

    /// Whether the object itself says which entity it is of.
    var isTyped = false

    /// Whether it is an item of the document itself.
    var isItem = false

    /// Whether it is imported when the document has been read.
    var isPutOff = false

    /// Whether it is an element of a to-many relationship's list that is imported: what the
    /// operations leave out of it is reported.
    var isListed = false

    /// What may be done with the one object of a to-one relationship: it belongs to the row, so it
    /// is written when that is.
    var operationsOnOne: ImportOperations {
        operations.isDisjoint(with: [.insert, .update]) ? [] : operations.union([.insert, .update])
    }

    /// Which row an object is.
    enum Row {
        /// The one with its key.
        case byKey
        /// This one: the object has no part of a key.
        case number(Int64)
        /// This one, which has the object's position in a list of objects without a key, or its
        /// unique value. An object that is refused has no row: what is nested in it would be
        /// written to another's.
        case place(Int64)
        /// The same, unless the object is refused: the row is then another object's, as there are
        /// no more rows than objects that follow.
        case candidate(Int64)
        /// A new one.
        case new

        /// Whether it is only presumed to be the object's, by its position in a list.
        var isOfList: Bool {
            switch self {
            case .place, .candidate: true
            case .byKey, .number, .new: false
            }
        }
    }

    /// The link from an object to the one that contains it.
    struct ParentLink {
        /// The relationship that leads back, in the plan of the contained object's entity.
        let relationship: Int
        /// The row that contains it, when the link stands in the contained row; else only the
        /// relationship's lists are taken as additions: the container knows the membership.
        let number: Int64?
    }
}

extension ImportRun {
    /// Reads the attributes of an object into a frame, its key among them.
    func readAttributes(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        readMembers(node, entity, frame)
        for slot in entity.plan.key where slot < entity.plan.attributeCount {
            _ = try readKeyPart(slot, node, entity, frame)
        }
        try readValues(node, entity, frame)
    }

    /// Reads the key; false when the object cannot be imported without one.
    func readKey(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Bool {
        var isComplete = !entity.plan.key.isEmpty
        for slot in entity.plan.key where slot < entity.plan.attributeCount {
            isComplete = try readKeyPart(slot, node, entity, frame) && isComplete
        }
        for place in entity.plan.keyRelationships {
            isComplete = hasParent(place, entity, frame) && isComplete
        }
        guard case .byKey = context.row, !isComplete else { return true }
        try refuseUnusableKey(node, entity, frame)
        return false
    }

    private func readKeyPart(
        _ slot: Int,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws -> Bool {
        let token = Int(frame.tokens[slot])
        guard token >= 0 else { return false }
        let value = node.node(at: token)
        switch entity.coerceKey(slot, value, into: arena) {
        case .value(let stored):
            // A null key is no key: the row keeps the one it has.
            guard !stored.isNull else { return false }
            frame.set(slot, stored)
            return true
        case .failure(let failure):
            try report(invalid: failure.sentence(), slot, node, entity, frame)
            return false
        case .ignored:
            return false
        }
    }

    func readValues(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws {
        for slot in 0..<entity.plan.attributeCount {
            let token = Int(frame.tokens[slot])
            guard token >= 0, !frame.isGiven[slot], !entity.plan.isKey(slot) else {
                if token < 0, frame.ranks[slot] == ObjectFrame.clearedRank {
                    frame.set(slot, .null)
                }
                continue
            }
            let value = node.node(at: token)
            switch entity.coerce(slot, value, into: arena) {
            case .value(let stored):
                frame.set(slot, stored)
            case .failure(let failure):
                try reject(failure.sentence(), slot, node, entity, frame)
            case .ignored:
                continue
            }
        }
        if options.invalid.replacesValues { try replaceInvalidValues(node, entity, frame) }
        for slot in entity.untransformed where frame.tokens[slot] >= 0 {
            noteUntransformed(slot, node, entity, frame)
        }
    }

    func setParent(
        _ parent: ObjectContext.ParentLink,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) {
        guard let number = parent.number else { return }
        if let slot = entity.plan.relationships[parent.relationship].slot {
            frame.set(slot, .integer(number))
            frame.links[parent.relationship].pending = .one(.release)
        } else {
            frame.links[parent.relationship].pending = .one(.link(number))
        }
    }

    // MARK: The row

    /// A row that an object was written to.
    struct Written {
        let number: Int64
        let isNew: Bool
        /// Whether the row is as it was because what the object says breaks a rule.
        var isRefused = false
        /// Whether it is still another entity's, so that nothing can be linked to it.
        var isOfOtherEntity = false
    }

    /// Finds the row and writes what differs, or inserts it; nil when there is to be none.
    func write(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Written? {
        if let number = try insertUnseen(entity, frame, context) {
            if context.isItem { noteItem(number, of: entity) }
            return Written(number: number, isNew: true)
        }
        let found =
            switch context.row {
            case .byKey: try entity.compare(byKey: frame, context)
            case .number(let number): try entity.compare(number, with: frame, context)
            case .place(let number), .candidate(let number):
                !frame.isRejected && entity.couldInsert(frame)
                    ? try entity.compare(number, with: frame, context) : nil
            case .new: nil as EntityImport.Comparison?
            }
        if let found {
            noteRepetition(found.number, node, entity, frame, context)
            try noteSecondParent(found, node, entity, frame, context)
            let mayUpdate = context.operations.contains(.update)
            if found.isDifferent, !mayUpdate, context.isListed {
                noteOmitted("updated", "updateRelationships", node, entity, frame)
            }
            let isRefused =
                try found.isDifferent && mayUpdate && !update(found, node, entity, frame, context)
            if isRefused, context.row.isOfList { return nil }
            return Written(
                number: found.number,
                isNew: false,
                isRefused: isRefused,
                isOfOtherEntity: found.otherEntity != nil && (isRefused || !mayUpdate)
            )
        }
        guard context.operations.contains(.insert) else {
            if context.isListed {
                noteOmitted("inserted", "insertRelationships", node, entity, frame)
            }
            return nil
        }
        let number = try insert(node, entity, frame)
        if let number, context.isItem { noteItem(number, of: entity) }
        return number.map { Written(number: $0, isNew: true) }
    }

    /// Inserts the row without looking for its key first, where those before were new; nil when it
    /// may be there, or nothing is sure.
    private func insertUnseen(
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Int64? {
        guard entity.expectsNewRow, !frame.isRejected, case .byKey = context.row,
            context.operations.contains(.insert), !entity.plan.entity.isAbstract,
            entity.missing(frame, isNew: true) == nil,
            entity.violation(ofNew: frame) == nil,
            try entity.isKeyIndexed(frame)
        else { return nil }
        return try entity.insertIfNew(frame)
    }

    /// Writes what differs, and returns false when that breaks a rule.
    @discardableResult
    func update(
        _ found: EntityImport.Comparison,
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Bool {
        guard !frame.isRejected else {
            skip(entity)
            return false
        }
        var found = found
        let old = try found.otherEntity.map(layout.entity)
        if old != nil, entity.plan.entity.isAbstract {
            try refuseAbstract(node, entity, frame)
            return false
        }
        if let old, let slot = completeRetyped(&found, from: old, entity, frame) {
            try refuse("A row must have a value.", slot, node, entity, frame)
            return false
        }
        if !found.differing.isEmpty || found.otherEntity != nil,
            let slot = entity.missing(frame, isNew: false)
        {
            try refuse("An update may not clear it.", slot, node, entity, frame)
            return false
        }
        if let violation = entity.violation(frame, in: found.differing.contains) {
            try refuse(violation.sentence, violation.slot, node, entity, frame)
            return false
        }
        if !found.differing.isEmpty {
            try noteReplaced(found, entity)
            let claimed: Int64? = if case .candidate = context.row { nil } else { found.number }
            let isStored = try refusing(node, entity, frame, claimed) {
                try entity.update(found.number, found.differing, frame)
            }
            guard isStored else { return false }
        }
        if let old { try retype(found, from: old, entity) }
        return true
    }

    private func insert(
        _ node: JSONNode,
        _ entity: EntityImport,
        _ frame: ObjectFrame
    ) throws -> Int64? {
        guard !frame.isRejected else {
            skip(entity)
            return nil
        }
        guard !entity.plan.entity.isAbstract else {
            try refuseAbstract(node, entity, frame)
            return nil
        }
        if let slot = entity.missing(frame, isNew: true) {
            try refuse("A row must have a value.", slot, node, entity, frame)
            return nil
        }
        if let violation = entity.violation(ofNew: frame) {
            try refuse(violation.sentence, violation.slot, node, entity, frame)
            return nil
        }
        var number: Int64?
        try refusing(node, entity, frame, nil) { number = try entity.insert(frame) }
        return number
    }
}
