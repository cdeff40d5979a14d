extension Model {
    /// Returns the changes from this model to another one, entity by entity.
    ///
    /// Elements correspond if they have the same name, or if the renaming identifier in the other
    /// model is the previous name. A change of an inherited property is reported once, for the
    /// entity that declares it. Differences that have no effect, such as the order of declarations,
    /// are not reported.
    package func changes(to model: Model) -> [ModelChange] {
        var difference = Difference(match: ModelMatch(from: self, to: model))
        difference.compare()
        return difference.changes
    }
}

/// The comparison of two models.
private struct Difference {
    let match: ModelMatch
    var changes: [ModelChange] = []
    /// All changes found, including those that entities inherit and that are not reported again.
    private var known: Set<ModelChange> = []

    init(match: ModelMatch) {
        self.match = match
    }

    mutating func compare() {
        // A change of a parent must be known before those of the entities that inherit it.
        for entity in parentsFirst(match.new) {
            if let former = match.oldEntity(entity.name) {
                compare(former, to: entity)
            } else {
                record(.added, of: entity.name)
            }
        }
        for entity in match.old.entities where match.newEntity(entity.name) == nil {
            record(.dropped, of: entity.name)
        }
    }

    private func parentsFirst(_ model: Model) -> [EntityDescription] {
        model.entities.enumerated()
            .map { (depth: model.lineage(of: $1).count, index: $0, entity: $1) }
            .sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }
            .map(\.entity)
    }

    /// Records a change of an entity, or of a property that it declares.
    private mutating func record(
        _ kind: ModelChange.Kind,
        of entity: String,
        property: ModelChange.Property? = nil
    ) {
        let change = ModelChange(kind, of: entity, property: property)
        known.insert(change)
        changes.append(change)
    }

    /// Records a change, unless the entity inherits it because its parent has the same one.
    private mutating func recordOnce(
        _ kind: ModelChange.Kind,
        of entity: EntityDescription,
        property: ModelChange.Property? = nil
    ) {
        if let parent = entity.parent,
            known.contains(ModelChange(kind, of: parent, property: property))
        {
            known.insert(ModelChange(kind, of: entity.name, property: property))
        } else {
            record(kind, of: entity.name, property: property)
        }
    }

    // MARK: Entities

    private mutating func compare(_ old: EntityDescription, to new: EntityDescription) {
        if old.name != new.name { record(.renamed(from: old.name), of: new.name) }
        compareFamily(of: old, to: new)
        compareKey(of: old, to: new)
        if old.json != new.json || old.identity != new.identity || old.userInfo != new.userInfo {
            record(.annotated, of: new.name)
        }
        compareAttributes(of: old, to: new)
        compareRelationships(of: old, to: new)
        compareUniqueness(of: old, to: new)
        compareIndexes(of: old, to: new)
    }

    private mutating func compareFamily(of old: EntityDescription, to new: EntityDescription) {
        let parent = new.parent.map { match.oldEntity($0)?.name ?? $0 }
        let isNew = new.parent.map { match.oldEntity($0) == nil } ?? false
        if parent != old.parent || isNew {
            record(.parent(from: old.parent, to: new.parent), of: new.name)
        }
        if let before = match.old.tree(of: old.name)?.root,
            let after = match.new.tree(of: new.name)?.root,
            match.oldEntity(after)?.name != before
        {
            record(.table(from: before, to: after), of: new.name)
        }
        if old.isAbstract != new.isAbstract {
            record(new.isAbstract ? .abstract : .concrete, of: new.name)
        }
    }

    private mutating func compareKey(of old: EntityDescription, to new: EntityDescription) {
        let before = match.old.primaryKey(of: old)
        let after = match.new.primaryKey(of: new)
        guard formerNames(after, of: new) != before else { return }
        recordOnce(.key(from: before, to: after), of: new)
    }

    /// Returns the old names of attributes and relationships; nil for new ones.
    private func formerNames(_ names: [String], of entity: EntityDescription) -> [String?] {
        names.map {
            match.oldAttribute($0, of: entity.name)?.name
                ?? match.oldRelationship($0, of: entity.name)?.name
        }
    }

    private mutating func compareUniqueness(of old: EntityDescription, to new: EntityDescription) {
        let after = new.uniquenessConstraints.map { formerNames($0, of: new) }
        for constraint in old.uniquenessConstraints where !after.contains(constraint) {
            record(.dropped, of: new.name, property: .uniqueness(constraint))
        }
        for (names, constraint) in zip(after, new.uniquenessConstraints)
        where !old.uniquenessConstraints.contains(where: { names == $0 }) {
            record(.added, of: new.name, property: .uniqueness(constraint))
        }
    }

    private mutating func compareIndexes(of old: EntityDescription, to new: EntityDescription) {
        let after = Dictionary(new.fetchIndexes.map { ($0.name, $0) }) { first, _ in first }
        for index in old.fetchIndexes {
            let isSame =
                after[index.name].map {
                    formerNames($0.elements.map(\.property), of: new)
                        == index.elements.map(\.property)
                        && $0.elements.map(\.isAscending) == index.elements.map(\.isAscending)
                } ?? false
            if isSame { continue }
            // SQLite cannot alter an index.
            record(.dropped, of: new.name, property: .index(index.name))
            if after[index.name] != nil {
                record(.added, of: new.name, property: .index(index.name))
            }
        }
        for index in new.fetchIndexes
        where !old.fetchIndexes.contains(where: { $0.name == index.name }) {
            record(.added, of: new.name, property: .index(index.name))
        }
    }

    // MARK: Attributes

    private mutating func compareAttributes(of old: EntityDescription, to new: EntityDescription) {
        for attribute in match.old.attributes(of: old) where !attribute.isTransient {
            let successor = match.newAttribute(attribute.name, of: new.name)
            if successor?.isTransient ?? true {
                recordOnce(.dropped, of: new, property: .attribute(attribute.name))
            }
        }
        for attribute in match.new.attributes(of: new) {
            let former = match.oldAttribute(attribute.name, of: new.name)
            if let former, former.isTransient == attribute.isTransient {
                compare(former, of: old, to: attribute, of: new)
            } else if !attribute.isTransient {
                recordOnce(.added, of: new, property: .attribute(attribute.name))
            }
        }
    }

    private mutating func compare(
        _ before: Attribute,
        of old: EntityDescription,
        to after: Attribute,
        of new: EntityDescription
    ) {
        let property = ModelChange.Property.attribute(after.name)
        if before.name != after.name {
            recordOnce(.renamed(from: before.name), of: new, property: property)
        }
        if before.type != after.type {
            recordOnce(.type(from: before.type, to: after.type), of: new, property: property)
        }
        // Rows that were created locally have no key yet, so key attributes are never required.
        let wasRequired =
            !before.isOptional && !match.old.primaryKey(of: old).contains(before.name)
        let isRequired = !after.isOptional && !match.new.primaryKey(of: new).contains(after.name)
        if wasRequired != isRequired {
            recordOnce(isRequired ? .required : .optional, of: new, property: property)
        }
        // A difference that remains does not affect the table.
        var described = before
        described.name = after.name
        described.type = after.type
        described.renamingIdentifier = after.renamingIdentifier
        if wasRequired != isRequired { described.isOptional = after.isOptional }
        if described != after { recordOnce(.annotated, of: new, property: property) }
    }

    // MARK: Relationships

    private mutating func compareRelationships(of old: EntityDescription, to new: EntityDescription)
    {
        for relationship in match.old.relationships(of: old)
        where match.newRelationship(relationship.name, of: new.name) == nil {
            recordOnce(.dropped, of: new, property: .relationship(relationship.name))
        }
        for relationship in match.new.relationships(of: new) {
            if let former = match.oldRelationship(relationship.name, of: new.name) {
                compare(former, to: relationship, of: new)
            } else {
                recordOnce(.added, of: new, property: .relationship(relationship.name))
            }
        }
    }

    private mutating func compare(
        _ before: Relationship,
        to after: Relationship,
        of new: EntityDescription
    ) {
        let property = ModelChange.Property.relationship(after.name)
        if before.name != after.name {
            recordOnce(.renamed(from: before.name), of: new, property: property)
        }
        if match.oldEntity(after.destination)?.name != before.destination {
            let change = (from: before.destination, to: after.destination)
            recordOnce(.destination(from: change.from, to: change.to), of: new, property: property)
        }
        if before.isToMany != after.isToMany {
            recordOnce(after.isToMany ? .toMany : .toOne, of: new, property: property)
        }
        let wasOrdered = before.isOrdered && before.isToMany
        let isOrdered = after.isOrdered && after.isToMany
        if wasOrdered != isOrdered {
            recordOnce(isOrdered ? .ordered : .unordered, of: new, property: property)
        }
        if before.deleteRule != after.deleteRule {
            recordOnce(
                .deleteRule(from: before.deleteRule, to: after.deleteRule),
                of: new,
                property: property
            )
        }
        let inverse = after.inverse.map {
            match.oldRelationship($0, of: after.destination)?.name ?? ""
        }
        if inverse != before.inverse {
            recordOnce(
                .inverse(from: before.inverse, to: after.inverse),
                of: new,
                property: property
            )
        }
        if !before.hasSameAnnotations(as: after) {
            recordOnce(.annotated, of: new, property: property)
        }
    }
}

extension Relationship {
    /// Returns whether relationships differ only in what ``Model/changes(to:)`` reports by itself.
    fileprivate func hasSameAnnotations(as after: Relationship) -> Bool {
        var described = self
        described.name = after.name
        described.destination = after.destination
        described.isToMany = after.isToMany
        if isToMany || after.isToMany { described.isOrdered = after.isOrdered }
        described.deleteRule = after.deleteRule
        described.inverse = after.inverse
        described.renamingIdentifier = after.renamingIdentifier
        return described == after
    }
}
