import TidemarkModel

/// The user info of an entity, attribute or relationship in a Core Data model, and the annotations
/// that it contains.
///
/// An annotation may have the prefix `tidemark.`, `sync.` or `hyper.`, in this order of precedence.
/// The four annotations of the predecessors are also recognized without a prefix.
struct Annotations {
    /// The entries of the user info.
    ///
    /// An annotation is removed when it is read.
    var entries: [String: String] = [:]

    private static let bareWords: Set<String> = [
        "isPrimaryKey", "remoteKey", "nonExportable", "valueTransformer",
    ]

    /// Removes an annotation and returns its value.
    private mutating func take(_ word: String) -> String? {
        var keys = AnnotationKey.prefixes.map { $0 + word }
        if Self.bareWords.contains(word) { keys.append(word) }
        // Every spelling is removed, since validation reports those that remain as ignored.
        let values = keys.compactMap { entries.removeValue(forKey: $0) }
        return values.first
    }

    /// Removes an annotation and returns its value unless it is empty.
    private mutating func text(_ word: String) -> String? {
        take(word).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Removes an annotation and returns the elements of its comma-separated list, without spaces
    /// around them.
    private mutating func list(_ word: String) -> [String] {
        (take(word) ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        .filter { !$0.isEmpty }
    }

    /// Removes an annotation and returns whether its value is true.
    private mutating func flag(_ word: String) -> Bool {
        yesOrNo(word, yes: ["true", "yes", "1"])
    }

    /// Removes a marker and returns whether it is set.
    ///
    /// A marker is also set if its value is empty or is `value`, the text that Xcode inserts for a
    /// new entry.
    private mutating func marker(_ word: String) -> Bool {
        yesOrNo(word, yes: ["true", "yes", "1", "", "value"])
    }

    /// Reads a Boolean.
    ///
    /// Any other value remains in the user info, so that validation reports it as ignored.
    private mutating func yesOrNo(_ word: String, yes: Set<String>) -> Bool {
        guard let text = take(word) else { return false }
        if yes.contains(text.lowercased()) { return true }
        if !["false", "no", "0", ""].contains(text.lowercased()) {
            entries["tidemark.\(word)"] = text
        }
        return false
    }

    private mutating func word<Word: RawRepresentable & CaseIterable>(
        _ word: String,
        as words: Word.Type = Word.self
    ) throws -> Word? where Word.RawValue == String {
        guard let text = text(word) else { return nil }
        if let word = Word(rawValue: text) { return word }
        throw FieldReader.unknownWord(text, at: "The annotation “\(word)”", words)
    }

    /// Moves the annotations into an entity; the other entries become its `userInfo`.
    mutating func annotate(_ entity: inout EntityDescription) throws {
        let key = list("primaryKey")
        if !key.isEmpty { entity.primaryKey = key }
        entity.json.discriminator = text("discriminator")
        entity.identity = try word("identity")
        entity.json.ignoredKeys = list("ignore")
        entity.userInfo = entries
    }

    /// Moves the annotations into an attribute, and into its entity if it is part of the primary
    /// key; the other entries become the attribute's `userInfo`.
    mutating func annotate(_ attribute: inout Attribute, of entity: inout EntityDescription) throws
    {
        if flag("isPrimaryKey") { entity.primaryKey.append(attribute.name) }
        attribute.json.remoteKey = text("remoteKey")
        attribute.json.isExportable = !marker("nonExportable")
        if let name = text("valueTransformer") { attribute.json.valueTransformer = name }
        attribute.json.dateFormat = text("dateFormat")
        attribute.json.encoding = try word("encoding") ?? .json
        attribute.json.nullValues = list("nullValues")
        attribute.json.isAsset = marker("asset")
        attribute.userInfo = entries
    }

    /// Moves the annotations into a relationship; the other entries become its `userInfo`.
    mutating func annotate(_ relationship: inout Relationship) throws {
        relationship.json.remoteKey = text("remoteKey")
        relationship.json.referenceKeys = list("referenceKey")
        relationship.json.nullValues = list("nullValues")
        relationship.orphans = try word("orphans") ?? .delete
        relationship.json.push = try word("push")
        relationship.json.isExportable = !marker("nonExportable")
        relationship.userInfo = entries
    }
}
