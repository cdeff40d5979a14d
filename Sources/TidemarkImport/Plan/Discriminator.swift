import TidemarkModel
import TidemarkStore

/// Finds the entity of an object by the JSON value that contains the entity's name.
struct Discriminator: Sendable {
    /// The key path of the value in an object.
    let path: String

    /// The indexes of the entities in the layout, by name and by normalized name.
    private let indexes: [String: Int]

    /// Creates the discriminator of an entity, its own or an inherited one; nil if it has none.
    init?(of entity: EntityDescription, mapping: EntityMapping, in layout: StoreLayout) {
        guard let path = mapping.discriminator else { return nil }
        self.path = path
        var indexes: [String: Int] = [:]
        for member in layout.model.family(of: entity) {
            guard let index = layout.index(of: member.name) else { continue }
            indexes[member.name] = index
            // Services spell the type as the model does, or as a collection name (`blog_posts`).
            for spelling in [member.name, mapping.naming.collectionName(of: member.name)] {
                let letters = Self.letters(of: spelling[...])
                if indexes[letters] == nil { indexes[letters] = index }
            }
        }
        self.indexes = indexes
    }

    /// Returns the index of the entity that a value names: spelled as in the model, in another case
    /// or with other separators (`blog_post`, `blog-posts`), or after a namespace (`Blog::Post`,
    /// `App.Models.Post`).
    func index(named text: String) -> Int? {
        if let index = indexes[text] { return index }
        if let index = indexes[Self.letters(of: text[...])] { return index }
        let separators: Set<Character> = [":", ".", "\\", "/"]
        guard let last = text.lastIndex(where: separators.contains) else { return nil }
        return indexes[Self.letters(of: text[text.index(after: last)...])]
    }

    /// Returns the letters and digits of a name in lower case: its normalized form.
    private static func letters(of text: Substring) -> String {
        text.filter { $0.isLetter || $0.isNumber }.lowercased()
    }
}
