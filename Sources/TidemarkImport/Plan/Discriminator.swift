import TidemarkModel
import TidemarkStore

/// Which entity of a family an object is of, by the JSON value that names it.
struct Discriminator: Sendable {
    /// Where the name stands in an object.
    let path: String

    /// The entities' places in the layout by their names, and by the letters and digits of these.
    private let places: [String: Int]

    /// Makes the discriminator of an entity, its own or an inherited one; nil when there is none.
    init?(_ entity: EntityDescription, _ mapping: EntityMapping, in layout: StoreLayout) {
        guard let path = mapping.discriminator else { return nil }
        self.path = path
        var places: [String: Int] = [:]
        for member in layout.model.family(of: entity) {
            guard let place = layout.index(of: member.name) else { continue }
            places[member.name] = place
            for spelling in [member.name, mapping.naming.collectionName(of: member.name)] {
                let letters = Self.letters(of: spelling[...])
                if places[letters] == nil { places[letters] = place }
            }
        }
        self.places = places
    }

    /// The place of the entity that a value names: as the model spells it, in other letters
    /// (`blog_post`, `blog-posts`), or behind a name space (`Blog::Post`, `App.Models.Post`).
    func place(named text: String) -> Int? {
        if let place = places[text] { return place }
        if let place = places[Self.letters(of: text[...])] { return place }
        let separators: Set<Character> = [":", ".", "\\", "/"]
        guard let last = text.lastIndex(where: separators.contains) else { return nil }
        return places[Self.letters(of: text[text.index(after: last)...])]
    }

    private static func letters(of text: Substring) -> String {
        text.filter { $0.isLetter || $0.isNumber }.lowercased()
    }
}
