import TidemarkJSON

/// The JSON names of an attribute.
package struct AttributeMapping: Sendable {
    /// The attribute.
    package let attribute: Attribute

    /// The JSON names from which it is read, best first.
    package let remoteNames: [RemoteName]

    /// The names under which it is exported.
    package let exportKeys: ExportKeys

    /// The name of the attribute.
    package var name: String { attribute.name }

    /// The JSON names from which it is read, best first.
    package var remoteKeys: [String] { remoteNames.map(\.text) }

    init(
        _ attribute: Attribute,
        isKey: Bool,
        among all: [Attribute],
        reserved: ReservedNames,
        naming: NamingConvention
    ) {
        let name = attribute.name
        let isIdentity = Self.isIdentity(attribute, isKey: isKey, among: all)
        let word = reserved.word(in: name, among: all)
        var names = RemoteNames(explicit: attribute.json.remoteKey)
        if isIdentity { names.add("id", rank: .identity) }
        if isIdentity || (isKey && attribute.json.remoteKey == "id") {
            // MongoDB calls the primary key `_id`.
            names.add("_id", rank: .underscoredIdentity)
        }
        names.add(spellingsOf: name, by: naming)
        if let word { names.add(reserved: word, by: naming) }
        self.attribute = attribute
        remoteNames = names.list
        if let remoteKey = attribute.json.remoteKey {
            exportKeys = ExportKeys(declared: remoteKey)
        } else if isIdentity {
            exportKeys = ExportKeys(literal: "id")
        } else {
            let plain = word ?? name
            exportKeys = ExportKeys(
                snake: naming.snakeCase(plain),
                camel: naming.camelCase(plain) ?? plain
            )
        }
    }

    /// Returns whether the attribute corresponds to a service's `id`.
    private static func isIdentity(
        _ attribute: Attribute,
        isKey: Bool,
        among all: [Attribute]
    ) -> Bool {
        guard attribute.json.remoteKey == nil, ["id", "remoteID"].contains(attribute.name) else {
            return false
        }
        return isKey
            || !all.contains { $0.name != attribute.name && ($0.json.remoteKey ?? $0.name) == "id" }
    }
}

/// The reserved words that attributes are named after, prefixed with the entity's name: `userType`.
struct ReservedNames {
    private let wordsByName: [String: String]

    init(_ entity: EntityDescription, in model: Model, naming: NamingConvention) {
        var words: [String: String] = [:]
        for ancestor in model.lineage(of: entity) {
            for word in naming.reservedWords {
                words["\(naming.snakeCase(ancestor.name))_\(naming.snakeCase(word))"] = word
            }
        }
        wordsByName = Dictionary(
            uniqueKeysWithValues: model.attributes(of: entity).compactMap { attribute in
                words[naming.snakeCase(attribute.name)].map { (attribute.name, $0) }
            }
        )
    }

    /// Returns the reserved word that an attribute is named after, unless another attribute uses
    /// it.
    func word(in name: String, among all: [Attribute]) -> String? {
        guard let word = wordsByName[name] else { return nil }
        let isTaken = all.contains {
            $0.name != name && ($0.name == word || $0.json.remoteKey == word)
        }
        return isTaken ? nil : word
    }
}

/// A list of names without duplicates, best first.
struct RemoteNames {
    private(set) var list: [RemoteName] = []

    init(explicit: String? = nil) {
        if let explicit { add(explicit, rank: .explicit) }
    }

    mutating func add(_ text: String?, rank: RemoteName.Rank) {
        // What a model declares is a path, and written in one way only.
        let text = rank == .explicit ? text.map { JSONPath($0).description } : text
        // By bytes, as JSON names are compared: `String` equates canonically equivalent names.
        guard let text, !list.contains(where: { ByteExactString($0.text) == ByteExactString(text) })
        else {
            return
        }
        list.append(RemoteName(text: text, rank: rank))
    }

    /// Adds a property's own name and its other spellings.
    mutating func add(spellingsOf name: String, by naming: NamingConvention) {
        let snake = naming.snakeCase(name)
        add(name, rank: .own)
        add(snake, rank: .snake)
        add(naming.camelCase(name), rank: .camel)
        add(naming.camelCase(snake), rank: .camel)
        add(naming.plainCamelCase(name), rank: .camel)
        add(naming.kebabCase(name), rank: .kebab)
    }

    /// Adds a reserved word and its other spellings.
    mutating func add(reserved word: String, by naming: NamingConvention) {
        add(word, rank: .reserved)
        add(naming.snakeCase(word), rank: .reserved)
        add(naming.plainCamelCase(word), rank: .reserved)
    }
}
