import TidemarkModel

/// Names of entities, derived from the source of a sample.
enum SampleName {
    /// Returns the entity name for a word such as `order_items`: singular, in camel case.
    static func entity(for word: String, by naming: NamingConvention) -> String {
        let singular = naming.inflection.singular(word)
        let name = naming.camelCase(singular) ?? singular
        return ModelCheck.proposal(
            for: name.prefix(1).uppercased() + name.dropFirst(),
            isEntity: true
        )
    }

    /// Returns the entity name for a file or a URL: `Film` for `films.page1.json`, `Person` for
    /// `https://host/api/people/?page=2`.
    static func entity(of source: String, by naming: NamingConvention) -> String {
        let isAddress = source.contains("://")
        let path = isAddress ? source.prefix { $0 != "?" && $0 != "#" } : source[...]
        var words = path.split { $0 == "/" || $0 == "\\" }.map(String.init)
        if isAddress { words.removeFirst(min(2, words.count)) }
        let candidates = isAddress ? words.reversed() : words.suffix(1)
        for word in candidates {
            let stem = String(word.split(separator: ".", maxSplits: 1).first ?? "")
            let name = stem.drop { !$0.isASCII || !$0.isLetter }
            guard !name.isEmpty, !(isAddress && isNoName(stem)) else { continue }
            return entity(for: String(name), by: naming)
        }
        return "Item"
    }

    /// Returns whether a path component is a key, a version or `api`, and thus does not name a
    /// list.
    private static func isNoName(_ word: String) -> Bool {
        let isVersion = word.first == "v" && word.dropFirst().allSatisfy(\.isNumber)
        return isVersion || word.contains { $0.isNumber } || word == "api"
    }
}
