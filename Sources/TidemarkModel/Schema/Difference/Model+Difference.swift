extension Model {
    /// Returns the changes from this model to another one, entity by entity.
    ///
    /// Elements correspond if they have the same name, or if the renaming identifier in the other
    /// model is the previous name. A change of an inherited property is reported once, for the
    /// entity that declares it. Differences that have no effect, such as the order of declarations,
    /// are not reported.
    ///
    /// ```swift
    /// for change in old.changes(to: new) { print(change) }   // add User.email …
    /// ```
    public func changes(to model: Model) -> [ModelChange] {
        var difference = Difference(match: ModelMatch(self, model))
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
                compare(former, entity)
            } else {
                note(entity.name, nil, .added)
            }
        }
        for entity in match.old.entities where match.newEntity(entity.name) == nil {
            note(entity.name, nil, .dropped)
        }
    }

    private func parentsFirst(_ model: Model) -> [EntityDescription] {
        model.entities.enumerated()
            .map { (depth: model.lineage(of: $1).count, place: $0, entity: $1) }
            .sorted { ($0.depth, $0.place) < ($1.depth, $1.place) }
            .map(\.entity)
    }

    private mutating func note(
        _ entity: String,
        _ property: ModelChange.Property?,
        _ kind: ModelChange.Kind
    ) {
        let change = ModelChange(entity, property, kind)
        known.insert(change)
        changes.append(change)
    }

    /// Records a change of a property, unless the parent has the same change and the property is
    /// inherited.
    private mutating func note(
        _ entity: EntityDescription,
        _ property: ModelChange.Property,
        _ kind: ModelChange.Kind
    ) {
        let change = ModelChange(entity.name, property, kind)
        if let parent = entity.parent,
            known.contains(ModelChange(parent, property, kind))
        {
            known.insert(change)
        } else {
            note(entity.name, property, kind)
        }
    }

    // MARK: Entities

    private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
        if old.name != new.name { note(new.name, nil, .renamed(from: old.name)) }
        compareFamily(old, new)
        compareKey(old, new)
        if old.discriminator != new.discriminator || old.identity != new.identity
            || old.ignoredKeys != new.ignoredKeys || old.userInfo != new.userInfo
        {
            note(new.name, nil, .annotated)
        }
        compareAttributes(old, new)
        compareRelationships(old, new)
        compareUniqueness(old, new)
        compareIndexes(old, new)
    }

    private mutating func compareFamily(_ old: EntityDescription, _ new: EntityDescription) {
        let parent = new.parent.map { match.oldEntity($0)?.name ?? $0 }
        let isNew = new.parent.map { match.oldEntity($0) == nil } ?? false
        if parent != old.parent || isNew {
            note(new.name, nil, .parent(from: old.parent, to: new.parent))
        }
        if let before = match.old.tree(of: old.name)?.root,
            let after = match.new.tree(of: new.name)?.root,
            match.oldEntity(after)?.name != before
        {
            note(new.name, nil, .table(from: before, to: after))
        }
        if old.isAbstract != new.isAbstract {
            note(new.name, nil, new.isAbstract ? .abstract : .concrete)
        }
    }

    private mutating func compareKey(_ old: EntityDescription, _ new: EntityDescription) {
        let before = match.old.primaryKey(of: old)
        let after = match.new.primaryKey(of: new)
        guard formerNames(after, of: new) != before else { return }
        let change = ModelChange.Kind.key(from: before, to: after)
        if let parent = new.parent, known.contains(ModelChange(parent, nil, change)) {
            known.insert(ModelChange(new.name, nil, change))
        } else {
            note(new.name, nil, change)
        }
    }

    /// Returns the old names of attributes and relationships; nil for new ones.
    private func formerNames(_ names: [String], of entity: EntityDescription) -> [String?] {
        names.map {
            match.oldAttribute($0, of: entity.name)?.name
                ?? match.oldRelationship($0, of: entity.name)?.name
        }
    }

    private mutating func compareUniqueness(_ old: EntityDescription, _ new: EntityDescription) {
        let after = new.uniquenessConstraints.map { formerNames($0, of: new) }
        for constraint in old.uniquenessConstraints where !after.contains(constraint) {
            note(new.name, .uniqueness(constraint), .dropped)
        }
        for (names, constraint) in zip(after, new.uniquenessConstraints)
        where !old.uniquenessConstraints.contains(where: { names == $0 }) {
            note(new.name, .uniqueness(constraint), .added)
        }
    }

    private mutating func compareIndexes(_ old: EntityDescription, _ new: EntityDescription) {
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
            note(new.name, .index(index.name), .dropped)
            if after[index.name] != nil { note(new.name, .index(index.name), .added) }
        }
        for index in new.fetchIndexes
        where !old.fetchIndexes.contains(where: { $0.name == index.name }) {
            note(new.name, .index(index.name), .added)
        }
    }

    // MARK: Attributes

    private mutating func compareAttributes(_ old: EntityDescription, _ new: EntityDescription) {
        for attribute in match.old.attributes(of: old) where !attribute.isTransient {
            let successor = match.newAttribute(attribute.name, of: new.name)
            if successor?.isTransient ?? true {
                note(new, .attribute(attribute.name), .dropped)
            }
        }
        for attribute in match.new.attributes(of: new) {
            let former = match.oldAttribute(attribute.name, of: new.name)
            if let former, former.isTransient == attribute.isTransient {
                compare(former, attribute, old, new)
            } else if !attribute.isTransient {
                note(new, .attribute(attribute.name), .added)
            }
        }
    }

    private mutating func compare(
        _ before: Attribute,
        _ after: Attribute,
        _ old: EntityDescription,
        _ new: EntityDescription
    ) {
        let property = ModelChange.Property.attribute(after.name)
        if before.name != after.name { note(new, property, .renamed(from: before.name)) }
        if before.type != after.type {
            note(new, property, .type(from: before.type, to: after.type))
        }
        // Rows that were created locally have no key yet, so key attributes are never required.
        let wasRequired =
            !before.isOptional && !match.old.primaryKey(of: old).contains(before.name)
        let isRequired = !after.isOptional && !match.new.primaryKey(of: new).contains(after.name)
        if wasRequired != isRequired { note(new, property, isRequired ? .required : .optional) }
        // A difference that remains does not affect the table.
        var described = before
        described.name = after.name
        described.type = after.type
        described.renamingIdentifier = after.renamingIdentifier
        if wasRequired != isRequired { described.isOptional = after.isOptional }
        if described != after { note(new, property, .annotated) }
    }

    // MARK: Relationships

    private mutating func compareRelationships(_ old: EntityDescription, _ new: EntityDescription) {
        for relationship in match.old.relationships(of: old)
        where match.newRelationship(relationship.name, of: new.name) == nil {
            note(new, .relationship(relationship.name), .dropped)
        }
        for relationship in match.new.relationships(of: new) {
            if let former = match.oldRelationship(relationship.name, of: new.name) {
                compare(former, relationship, new)
            } else {
                note(new, .relationship(relationship.name), .added)
            }
        }
    }

    private mutating func compare(
        _ before: Relationship,
        _ after: Relationship,
        _ new: EntityDescription
    ) {
        let property = ModelChange.Property.relationship(after.name)
        if before.name != after.name { note(new, property, .renamed(from: before.name)) }
        if match.oldEntity(after.destination)?.name != before.destination {
            let change = (from: before.destination, to: after.destination)
            note(new, property, .destination(from: change.from, to: change.to))
        }
        if before.isToMany != after.isToMany {
            note(new, property, after.isToMany ? .toMany : .toOne)
        }
        let wasOrdered = before.isOrdered && before.isToMany
        let isOrdered = after.isOrdered && after.isToMany
        if wasOrdered != isOrdered { note(new, property, isOrdered ? .ordered : .unordered) }
        if before.deleteRule != after.deleteRule {
            note(new, property, .deleteRule(from: before.deleteRule, to: after.deleteRule))
        }
        let inverse = after.inverse.map {
            match.oldRelationship($0, of: after.destination)?.name ?? ""
        }
        if inverse != before.inverse {
            note(new, property, .inverse(from: before.inverse, to: after.inverse))
        }
        if !isDescribedAlike(before, after) { note(new, property, .annotated) }
    }

    private func isDescribedAlike(_ before: Relationship, _ after: Relationship) -> Bool {
        var described = before
        described.name = after.name
        described.destination = after.destination
        described.isToMany = after.isToMany
        if before.isToMany || after.isToMany { described.isOrdered = after.isOrdered }
        described.deleteRule = after.deleteRule
        described.inverse = after.inverse
        described.renamingIdentifier = after.renamingIdentifier
        return described == after
    }
}
