/// The vocabulary of the annotations in the user info of a Core Data model.
package enum AnnotationKey {
    /// The prefixes that an annotation may have, in order of precedence.
    package static let prefixes = ["tidemark.", "sync.", "hyper."]

    /// The annotations, without a prefix.
    package static let words: Set<String> = [
        "primaryKey", "discriminator", "identity", "isPrimaryKey", "remoteKey", "nonExportable",
        "valueTransformer", "dateFormat", "encoding", "nullValues", "referenceKey", "orphans",
        "push", "ignore", "asset",
    ]

    /// Returns the annotation that the key of a user info entry denotes, with one of the prefixes,
    /// or nil if the key belongs to the application.
    static func word(of key: String) -> String? {
        guard let prefix = prefixes.first(where: key.hasPrefix) else { return nil }
        let word = String(key.dropFirst(prefix.count))
        return words.contains(word) ? word : nil
    }
}
