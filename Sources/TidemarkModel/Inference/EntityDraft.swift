/// An entity that is being inferred.
struct EntityDraft {
    var name: String

    /// What was seen of its objects, everywhere.
    var shape: ObjectShape

    /// Whether there are samples of its own: a list that can be imported by itself.
    let isSampled: Bool

    /// The paths below which its objects have their addresses.
    var collections: Set<String> = []

    /// The names under which its objects stand in others.
    var roles: Set<String> = []

    /// The entities that the objects at some paths have become.
    var nested: [[String]: Int] = [:]

    /// The member that its objects are known by.
    var key: KeyChoice?

    var attributes: [AttributeDraft] = []
    var relationships: [RelationshipDraft] = []
    var names = LocalNames()

    /// How its objects stand, as far as their key is concerned.
    var standing: ObjectShape.Standing { isSampled ? .sample : .element }
}

/// An attribute that is being inferred.
struct AttributeDraft {
    var name: String

    /// The names that lead to its value.
    let path: [String]

    let type: AttributeType

    /// Whether the model has to spell the JSON name out.
    var isExplicit = false

    /// The names that lead to its value, with dots between.
    var jsonName: String { path.joined(separator: ".") }
}

/// A relationship that is being inferred.
struct RelationshipDraft {
    var name: String

    /// The names that lead to the objects, or to the one value that is a reference by itself.
    var path: [String]?

    /// The names that lead to keys, where the name says that they do.
    var referencePath: [String]?

    var destination: Int
    var isToMany: Bool

    /// Whether objects stand there.
    var isOfObjects: Bool

    /// The keys that are named.
    var links = LinkSketch()

    /// The place of the relationship that leads back, among those of the destination.
    var inverse: Int?

    var deleteRule = Relationship.DeleteRule.nullify

    /// Whether the model has to spell the names out.
    var isExplicit = false
    var isReferenceExplicit = false

    /// The names that lead to the objects, with dots between.
    var jsonName: String? { path?.joined(separator: ".") }

    /// The names that lead to keys, with dots between.
    var referenceName: String? { referencePath?.joined(separator: ".") }
}

/// The names that the properties of an entity have, and those its JSON has.
struct LocalNames {
    private var taken: Set<String> = []
    private var reserved: Set<String> = []

    /// Keeps a JSON name from becoming the name of something that does not stand under it.
    mutating func reserve(_ name: String, _ naming: NamingConvention) {
        reserved.insert(name.lowercased())
        if let camel = naming.camelCase(name) { reserved.insert(camel.lowercased()) }
    }

    /// Whether nothing has the name, here or in the JSON.
    func isFree(_ name: String) -> Bool {
        !taken.contains(name.lowercased()) && !reserved.contains(name.lowercased())
    }

    /// Takes a name, or one with a number behind that no property has.
    mutating func take(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate.lowercased()).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        return candidate
    }
}
