/// An entity that is being inferred.
struct EntityDraft {
    var name: String

    /// What was seen of its objects, everywhere.
    private(set) var shape: ObjectShape

    /// Whether there are samples of its own: a list that can be imported by itself.
    let isSampled: Bool

    /// The paths below which its objects have their addresses.
    var collections: Set<String> = []

    /// The names under which its objects stand in others.
    private(set) var roles: Set<String> = []

    /// What entities under those names would be called.
    private(set) var roleWords: Set<String> = []

    /// The entities that the objects at some paths have become.
    var nested: [[String]: Int] = [:]

    /// The member that its objects are known by, as far as they are together.
    private(set) var key: KeyChoice?

    /// The member that its objects are known by within the one that contains them, where ``key`` is
    /// nil.
    var keyWithinParent: KeyChoice?

    /// The place of the relationship to the object that contains one of them, where there is a
    /// ``keyWithinParent``.
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

    /// How its objects stand, as far as their key is concerned.
    var standing: ObjectShape.Standing { isSampled ? .sample : .element }

    /// Adds objects that were seen elsewhere.
    mutating func merge(_ objects: ObjectShape) {
        shape.merge(objects)
        key = shape.key(standing)
    }

    /// Takes the objects at a path out.
    mutating func takeObjects(at path: [String]) -> ObjectShape? {
        shape.takeObjects(at: path[...])
    }

    /// Notes a name under which its objects stand, and what an entity of that name is called.
    mutating func addRole(_ role: String, _ word: String) {
        roles.insert(role)
        roleWords.insert(word)
    }
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

    /// The number that the next property of a name gets.
    private var numbers: [String: Int] = [:]
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
        var number = numbers[name] ?? 2
        while !taken.insert(candidate.lowercased()).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        numbers[name] = number
        return candidate
    }
}
