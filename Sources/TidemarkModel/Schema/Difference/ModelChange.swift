/// One thing in which a model differs from the model before it.
///
/// A change has a name that people can read, which is also what a migrated store remembers it by:
/// `add User.email`, `rename User.name to fullName`, `change User.age from string to integer64`.
public struct ModelChange: Hashable, Sendable, CustomStringConvertible {
    /// The entity it is about, by its new name; by its old one when it is dropped.
    public let entity: String

    /// The attribute, relationship or index it is about; nil when it is the entity itself.
    public let property: Property?

    /// What changed.
    public let kind: Kind

    /// Describes a change.
    public init(_ entity: String, _ property: Property? = nil, _ kind: Kind) {
        self.entity = entity
        self.property = property
        self.kind = kind
    }

    /// A part of an entity, by its new name; by its old one when it is dropped.
    public enum Property: Hashable, Sendable {
        /// An attribute.
        case attribute(String)
        /// A relationship.
        case relationship(String)
        /// A fetch index.
        case index(String)
        /// Attributes whose values together may not occur twice.
        case uniqueness([String])
    }

    /// What can change.
    public enum Kind: Hashable, Sendable {
        /// It is new, or is stored from now on.
        case added
        /// It is no more, or is not stored any longer.
        case dropped
        /// It was called otherwise.
        case renamed(from: String)
        /// The entity inherits from another one; nil for none.
        case parent(from: String?, to: String?)
        /// The entity's rows belong into another table.
        case table(from: String, to: String)
        /// No row can be of the entity itself any longer.
        case abstract
        /// Rows can be of the entity itself now.
        case concrete
        /// Other attributes make the primary key.
        case key(from: [String], to: [String])
        /// The attribute has another type.
        case type(from: AttributeType, to: AttributeType)
        /// A row cannot go without the attribute any longer.
        case required
        /// A row can go without the attribute now.
        case optional
        /// The relationship leads to another entity.
        case destination(from: String, to: String)
        /// The relationship leads to one object, and led to many.
        case toOne
        /// The relationship leads to many objects, and led to one.
        case toMany
        /// The linked objects have an order now.
        case ordered
        /// The linked objects have no order any longer.
        case unordered
        /// Something else becomes of the linked objects on deletion.
        case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)
        /// Another relationship leads back; nil for none.
        case inverse(from: String?, to: String?)
        /// Facts that no table knows of: names in JSON, defaults, bounds, annotations.
        case annotated
    }

    /// What it is about: `User`, `User.email`.
    public var place: String {
        switch property {
        case nil: entity
        case .attribute(let name), .relationship(let name): "\(entity).\(name)"
        case .index(let name): "index \(entity).\(name)"
        case .uniqueness(let names): "uniqueness \(entity)(\(names.joined(separator: ", ")))"
        }
    }

    /// The name of the change.
    public var description: String {
        switch kind {
        case .added: "add \(place)"
        case .dropped: "drop \(place)"
        case .renamed(let former): renaming(former)
        case .parent(let former, let parent):
            "put \(place) under \(parent ?? "nothing") instead of \(former ?? "nothing")"
        case .table(let former, let table): "move \(place) from table \(former) to table \(table)"
        case .abstract: "make \(place) abstract"
        case .concrete: "make \(place) concrete"
        case .key(let former, let key):
            "change key of \(place) from \(Self.list(former)) to \(Self.list(key))"
        case .type(let former, let type):
            "change \(place) from \(former.rawValue) to \(type.rawValue)"
        case .required: "require \(place)"
        case .optional: "make \(place) optional"
        case .destination(let former, let destination):
            "lead \(place) to \(destination) instead of \(former)"
        case .toOne: "make \(place) to-one"
        case .toMany: "make \(place) to-many"
        case .ordered: "order \(place)"
        case .unordered: "take order from \(place)"
        case .deleteRule(let former, let rule):
            "change delete rule of \(place) from \(former.rawValue) to \(rule.rawValue)"
        case .inverse(let former, let inverse):
            "change inverse of \(place) from \(former ?? "nothing") to \(inverse ?? "nothing")"
        case .annotated: "annotate \(place)"
        }
    }

    private func renaming(_ former: String) -> String {
        property == nil
            ? "rename \(former) to \(entity)"
            : "rename \(entity).\(former) to \(place.dropFirst(entity.count + 1))"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}
