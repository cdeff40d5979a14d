import TidemarkJSON
import TidemarkModel

/// An entity that is being inferred.
struct EntityDraft {
    var name: String

    /// The merged shape of its objects from all paths.
    private(set) var shape: ObjectShape

    /// Whether it has samples of its own, that is, a list that can be imported by itself.
    let isSampled: Bool

    /// The paths of the collections to which its objects' URLs belong.
    var collections: Set<String> = []

    /// The names of the members in which its objects are nested.
    var roles: Set<String> = []

    /// The indices of the entities that the nested objects became, by path.
    var nested: [[String]: Int] = [:]

    /// The member that identifies its objects, among those merged so far.
    private(set) var key: KeyChoice?

    /// The member that identifies its objects within their parent, if ``key`` is nil.
    var keyWithinParent: KeyChoice?

    /// The index of the relationship to the parent, if there is a ``keyWithinParent``.
    var parent: Int?

    var attributes: [AttributeDraft] = []
    var relationships: [RelationshipDraft] = []
    var names = LocalNames()

    /// Creates a draft.
    init(name: String, shape: ObjectShape, isSampled: Bool, collections: Set<String> = []) {
        self.name = name
        self.shape = shape
        self.isSampled = isSampled
        self.collections = collections
        key = shape.key(standing)
    }

    /// How its objects are contained in the samples, as far as it affects their key.
    var standing: ObjectShape.Standing { isSampled ? .sample : .element }

    /// Adds objects from another path.
    mutating func merge(_ objects: ObjectShape) {
        shape.merge(objects)
        key = shape.key(standing)
    }

    /// Removes and returns the objects at a path.
    mutating func takeObjects(at path: [String]) -> ObjectShape? {
        shape.takeObjects(at: path[...])
    }
}

/// An attribute that is being inferred.
struct AttributeDraft {
    var name: String

    /// The path of its value.
    let path: [String]

    let type: AttributeType

    /// Whether the model has to declare the JSON name.
    var isExplicit = false

    /// The key path of its value, with dots between the names.
    var jsonName: String { JSONPath(path).description }
}

/// A relationship that is being inferred.
struct RelationshipDraft {
    var name: String

    /// The path of the nested objects, or of values that are references themselves, such as URLs.
    var path: [String]?

    /// The path of the foreign keys, if its name marks it as such: `company_id`.
    var referencePath: [String]?

    var destination: Int
    var isToMany: Bool

    /// Whether the objects are nested, not only referenced.
    var isOfObjects: Bool

    /// The sampled pairs of keys.
    var links = LinkSketch()

    /// The index of the inverse among the relationships of the destination.
    var inverse: Int?

    var deleteRule = Relationship.DeleteRule.nullify

    /// Whether the model has to declare the JSON names.
    var isExplicit = false
    var isReferenceExplicit = false

    /// The key path of the objects, with dots between the names.
    var jsonName: String? { path.map { JSONPath($0).description } }

    /// The key path of the foreign keys, with dots between the names.
    var referenceName: String? { referencePath.map { JSONPath($0).description } }
}

/// The names of an entity's properties, and the reserved names of its JSON members.
struct LocalNames {
    private var taken: Set<String> = []

    /// The number to append to the next property with each name.
    private var numbers: [String: Int] = [:]
    private var reserved: Set<String> = []

    /// Reserves a JSON name, so that an inverse, which has no JSON member, is not named after it.
    mutating func reserve(_ name: String, by naming: NamingConvention) {
        reserved.insert(name.lowercased())
        if let camel = naming.camelCase(name) { reserved.insert(camel.lowercased()) }
    }

    /// Returns whether neither a property nor a JSON member has the name.
    func isFree(_ name: String) -> Bool {
        !taken.contains(name.lowercased()) && !reserved.contains(name.lowercased())
    }

    /// Returns the name, or the name with a number appended if another property has it, and takes
    /// it.
    mutating func take(_ name: String) -> String {
        var candidate = name
        var number = numbers[name] ?? 2
        while !taken.insert(candidate.lowercased()).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        numbers[name] = number
        return candidate
    }
}
