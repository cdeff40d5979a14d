import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The context in which an object is imported.
struct ObjectContext {
    /// The allowed operations on the object's row.
    var operations: ImportOperations

    /// The object's row, if its key does not identify it.
    var row = Row.byKey

    /// The link to the object that contains it.
    var parent: ParentLink?

    /// Whether the object itself names its entity.
    var isTyped = false

    /// Whether the object is an item of the document.
    var isItem = false

    /// Whether the object is imported after the whole document has been read.
    var isPutOff = false

    /// Whether the object is an element of a to-many list that is imported.
    ///
    /// It is then reported if the operations do not allow writing it.
    var isListed = false

    /// The allowed operations on the object of a to-one relationship.
    ///
    /// It belongs to the row, so it is written whenever the row is.
    var operationsOnOne: ImportOperations {
        operations.isDisjoint(with: [.insert, .update]) ? [] : operations.union([.insert, .update])
    }

    /// The row of an object.
    enum Row {
        /// The row with the object's key.
        case byKey
        /// This row: the object contains no part of a key.
        case number(Int64)
        /// This row, which has the object's position in a list of objects without a key, or its
        /// unique value.
        ///
        /// If the object is rejected it has no row, because objects nested in it would be written
        /// to another object's row.
        case place(Int64)
        /// The same row.
        ///
        /// If the object is rejected, however, the row belongs to another object, because there are
        /// no more rows than objects that follow.
        case candidate(Int64)
        /// A new row.
        case new

        /// Whether the row is only presumed to be the object's, because of its position in a list.
        var isOfList: Bool {
            switch self {
            case .place, .candidate: true
            case .byKey, .number, .new: false
            }
        }
    }

    /// The link from an object to the object that contains it.
    struct ParentLink {
        /// The inverse relationship, in the plan of the contained object's entity.
        let relationship: Int
        /// The containing row, if the link is stored in the contained row.
        ///
        /// Otherwise nil: the object's own list of this relationship only adds links, because the
        /// container's list specifies the members.
        let number: Int64?
    }
}

extension ImportRun {
    /// Reads the attributes of an object into a frame, including its key.
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

    /// Reads the primary key; false if the object cannot be imported without one.
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
            // A null key is no key: the row keeps its stored key.
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
        // Before the row is searched for, so that replacements are compared like any other value.
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

    /// The row that an object was written to.
    struct Written {
        let number: Int64
        let isNew: Bool
        /// Whether the row was left unchanged because the object breaks a rule.
        var isRefused = false
        /// Whether the row is still of another entity, so that nothing can be linked to it.
        var isOfOtherEntity = false
    }

    /// Finds the row and writes what differs, or inserts a row; nil if there is no row to be
    /// written.
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
                // An object that will be rejected is not compared with the row at its position:
                // what is nested in it would be written there.
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

    /// Inserts the row without searching for its key, if the previous objects were new; nil if the
    /// row may exist, or if it might be rejected.
    private func insertUnseen(
        _ entity: EntityImport,
        _ frame: ObjectFrame,
        _ context: ObjectContext
    ) throws -> Int64? {
        // Any object that might be rejected takes the regular path, which reports the reason.
        guard entity.expectsNewRow, !frame.isRejected, case .byKey = context.row,
            context.operations.contains(.insert), !entity.plan.entity.isAbstract,
            entity.missing(frame, isNew: true) == nil,
            entity.violation(ofNew: frame) == nil,
            try entity.isKeyIndexed(frame)
        else { return nil }
        return try entity.insertIfNew(frame)
    }

    /// Writes what differs.
    ///
    /// Returns false if that breaks a rule.
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
            // A candidate row may belong to another object, so the conflict is recorded as that of
            // a new row.
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
