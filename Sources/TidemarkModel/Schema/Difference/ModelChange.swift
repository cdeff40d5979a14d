/// One difference between a model and the model before it.
///
/// The ``description`` of a change is readable, and a migrated store records the change under it:
/// `add User.email`, `rename User.name to fullName`, `change User.age from string to integer64`.
package struct ModelChange: Hashable, Sendable, CustomStringConvertible {
    /// The name of the affected entity: its new name, or the old one if it was dropped.
    package let entity: String

    /// The affected attribute, relationship, index or uniqueness constraint; nil if the change
    /// affects the entity itself.
    package let property: Property?

    /// The kind of the change.
    package let kind: Kind

    /// Creates a change.
    init(_ kind: Kind, of entity: String, property: Property?) {
        self.entity = entity
        self.property = property
        self.kind = kind
    }

    /// A part of an entity, by its new name, or by the old one if it was dropped.
    package enum Property: Hashable, Sendable {
        /// An attribute.
        case attribute(String)
        /// A relationship.
        case relationship(String)
        /// A fetch index.
        case index(String)
        /// A uniqueness constraint on the given attributes.
        case uniqueness([String])
    }

    /// The kind of a change.
    package enum Kind: Hashable, Sendable {
        /// The element was added, or is stored from now on.
        case added
        /// The element was removed, or is no longer stored.
        case dropped
        /// The element had another name.
        case renamed(from: String)
        /// The entity has another parent; nil for none.
        case parent(from: String?, to: String?)
        /// The rows of the entity belong to another table.
        case table(from: String, to: String)
        /// The entity became abstract and can no longer have rows of its own.
        case abstract
        /// The entity is no longer abstract and can have rows of its own.
        case concrete
        /// Other properties form the primary key.
        case key(from: [String], to: [String])
        /// The attribute has another type.
        case type(from: AttributeType, to: AttributeType)
        /// The attribute became required.
        case required
        /// The attribute became optional.
        case optional
        /// The relationship has another destination.
        case destination(from: String, to: String)
        /// The relationship became to-one.
        case toOne
        /// The relationship became to-many.
        case toMany
        /// The linked objects became ordered.
        case ordered
        /// The linked objects are no longer ordered.
        case unordered
        /// The relationship has another delete rule.
        case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)
        /// The relationship has another inverse; nil for none.
        case inverse(from: String?, to: String?)
        /// Settings changed that do not affect tables: JSON keys, default values, bounds,
        /// annotations.
        case annotated
    }

    /// The path of the affected element, such as `User` or `User.email`.
    package var path: String {
        switch property {
        case nil: entity
        case .attribute(let name), .relationship(let name): "\(entity).\(name)"
        case .index(let name): "index \(entity).\(name)"
        case .uniqueness(let names): "uniqueness \(entity)(\(names.joined(separator: ", ")))"
        }
    }

    /// The text that identifies the change, such as `add User.email`.
    package var description: String {
        switch kind {
        case .added: "add \(path)"
        case .dropped: "drop \(path)"
        case .renamed(let former): renaming(former)
        case .parent(let former, let parent):
            "put \(path) under \(parent ?? "nothing") instead of \(former ?? "nothing")"
        case .table(let former, let table): "move \(path) from table \(former) to table \(table)"
        case .abstract: "make \(path) abstract"
        case .concrete: "make \(path) concrete"
        case .key(let former, let key):
            "change key of \(path) from \(Self.list(former)) to \(Self.list(key))"
        case .type(let former, let type):
            "change \(path) from \(former.rawValue) to \(type.rawValue)"
        case .required: "require \(path)"
        case .optional: "make \(path) optional"
        case .destination(let former, let destination):
            "lead \(path) to \(destination) instead of \(former)"
        case .toOne: "make \(path) to-one"
        case .toMany: "make \(path) to-many"
        case .ordered: "order \(path)"
        case .unordered: "take order from \(path)"
        case .deleteRule(let former, let rule):
            "change delete rule of \(path) from \(former.rawValue) to \(rule.rawValue)"
        case .inverse(let former, let inverse):
            "change inverse of \(path) from \(former ?? "nothing") to \(inverse ?? "nothing")"
        case .annotated: "annotate \(path)"
        }
    }

    private func renaming(_ former: String) -> String {
        property == nil
            ? "rename \(former) to \(entity)"
            : "rename \(entity).\(former) to \(path.dropFirst(entity.count + 1))"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}
