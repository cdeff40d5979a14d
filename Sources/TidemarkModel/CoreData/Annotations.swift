/// The user info of an entity, attribute or relationship, and the words in it that mean something.
///
/// Each word may stand under `tidemark.`, `sync.` or `hyper.`; the first of them wins. The four
/// words of the predecessors also count without a prefix.
struct Annotations {
    /// The entries as they were found; what has been taken is gone.
    var entries: [String: String] = [:]

    private static let prefixes = ["tidemark.", "sync.", "hyper."]
    private static let bareWords: Set<String> = [
        "isPrimaryKey", "remoteKey", "nonExportable", "valueTransformer",
    ]

    static let words: Set<String> = [
        "primaryKey", "discriminator", "identity", "isPrimaryKey", "remoteKey", "nonExportable",
        "valueTransformer", "dateFormat", "encoding", "nullValues", "referenceKey", "orphans",
        "ignore",
    ]

    /// The word in the key of a user info entry that would mean something in a Core Data model; nil
    /// where the key is the user's own.
    static func word(of key: String) -> String? {
        guard let prefix = prefixes.first(where: key.hasPrefix) else { return nil }
        let word = String(key.dropFirst(prefix.count))
        return words.contains(word) ? word : nil
    }

    /// The value of a word, which then is an annotation no more.
    private mutating func take(_ word: String) -> String? {
        var keys = Self.prefixes.map { $0 + word }
        if Self.bareWords.contains(word) { keys.append(word) }
        let values = keys.compactMap { entries.removeValue(forKey: $0) }
        return values.first
    }

    /// A text that says something.
    private mutating func text(_ word: String) -> String? {
        take(word).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The parts of a comma list.
    private mutating func list(_ word: String) -> [String] {
        (take(word) ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        .filter { !$0.isEmpty }
    }

    /// Whether a word is set to yes.
    private mutating func flag(_ word: String) -> Bool {
        yesOrNo(word, yes: ["true", "yes", "1"])
    }

    /// Whether a marker is set; one without a value is, and so is one with the value `value`, which
    /// Xcode puts where nothing was written.
    private mutating func marker(_ word: String) -> Bool {
        yesOrNo(word, yes: ["true", "yes", "1", "", "value"])
    }

    /// What says neither yes nor no stays an annotation, which a check of the model then tells.
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

    /// Moves what the annotations say into an entity.
    mutating func annotate(_ entity: inout EntityDescription) throws {
        let key = list("primaryKey")
        if !key.isEmpty { entity.primaryKey = key }
        entity.discriminator = text("discriminator")
        entity.identity = try word("identity")
        entity.ignoredKeys = list("ignore")
        entity.userInfo = entries
    }

    /// Moves what the annotations say into an attribute, and into its entity if it is a key.
    mutating func annotate(_ attribute: inout Attribute, of entity: inout EntityDescription) throws
    {
        if flag("isPrimaryKey") { entity.primaryKey.append(attribute.name) }
        attribute.remoteKey = text("remoteKey")
        attribute.isExportable = !marker("nonExportable")
        attribute.valueTransformer = text("valueTransformer") ?? attribute.valueTransformer
        attribute.dateFormat = text("dateFormat")
        attribute.encoding = try word("encoding") ?? .json
        attribute.nullValues = list("nullValues")
        attribute.userInfo = entries
    }

    /// Moves what the annotations say into a relationship.
    mutating func annotate(_ relationship: inout Relationship) throws {
        relationship.remoteKey = text("remoteKey")
        relationship.referenceKeys = list("referenceKey")
        relationship.nullValues = list("nullValues")
        relationship.orphans = try word("orphans") ?? .delete
        relationship.isExportable = !marker("nonExportable")
        relationship.userInfo = entries
    }
}
