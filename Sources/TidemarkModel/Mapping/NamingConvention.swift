/// How names are spelled here and at the service.
///
/// Acronyms are words: `user_id` is `userID`, `imageURL` is `image_url`. A convention is a value;
/// one that knows more words is made by changing a copy:
///
/// ```swift
/// var naming = NamingConvention.default
/// naming.acronyms.insert("html")
/// naming.inflection = naming.inflection.adding(uncountable: "feedback")
/// ```
public struct NamingConvention: Hashable, Sendable {
    /// How plurals are formed.
    public var inflection: Inflection

    /// Words that are written in capitals, here in lower case and in the singular.
    public var acronyms: Set<String>

    /// JSON names that an app cannot give its properties, and stores behind the entity's name
    /// (`userType` for the `type` of a `User`).
    public var reservedWords: [String]

    /// The convention of Rails services and Swift apps.
    public static let `default` = NamingConvention()

    /// Creates a convention; what is left out is as usual.
    public init(
        inflection: Inflection = .default,
        acronyms: Set<String> = [
            "uuid", "id", "pdf", "url", "png", "jpg", "uri", "json", "xml",
        ],
        reservedWords: [String] = [
            "type", "description", "signed", "hash", "self", "default", "class", "init", "objectID",
        ]
    ) {
        self.inflection = inflection
        self.acronyms = acronyms
        self.reservedWords = reservedWords
    }

    /// The name in lower case with underscores: `imageURL` gives `image_url`.
    ///
    /// Underscores that are there stay, at the ends too.
    public func snakeCase(_ name: String) -> String {
        var result = ""
        var rest = Substring(name)
        for word in NamingWords.split(name, acronyms: acronyms) {
            var separators = ""
            while !rest.hasPrefix(word), rest.popFirst() != nil { separators += "_" }
            if separators.isEmpty && !result.isEmpty { separators = "_" }
            result += separators + word.lowercased()
            rest = rest.dropFirst(word.count)
        }
        return result + String(repeating: "_", count: rest.count)
    }

    /// The name in lower case with hyphens: `imageURL` gives `image-url`.
    public func kebabCase(_ name: String) -> String {
        String(snakeCase(name).map { $0 == "_" ? "-" : $0 })
    }

    /// The name in camel case with acronyms in capitals: `image_url` gives `imageURL`.
    ///
    /// A name without separators keeps its capitals but for the first. Nil when the name has other
    /// characters than letters, digits, `_`, `-` and spaces, or only separators.
    public func camelCase(_ name: String) -> String? {
        guard name.utf8.allSatisfy(isNameByte) else { return nil }
        let parts = name.split { $0 == "_" || $0 == "-" || $0 == " " }.map(String.init)
        guard let first = parts.first else { return nil }
        if first == name { return lowerFirst(name) }
        return parts.dropFirst().reduce(lowerFirst(shaped(first))) { $0 + upperFirst(shaped($1)) }
    }

    /// The name in camel case with acronyms as any word: `imageURL` and `image_url` give
    /// `imageUrl`.
    ///
    /// Nil where ``camelCase(_:)`` is.
    public func plainCamelCase(_ name: String) -> String? {
        guard name.utf8.allSatisfy(isNameByte) else { return nil }
        let words = NamingWords.split(name, acronyms: acronyms).map { $0.lowercased() }
        guard let first = words.first else { return nil }
        return words.dropFirst().reduce(first) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// The name a service has for all objects of an entity: `SalesPerson` gives `sales_people`.
    public func collectionName(of entity: String) -> String {
        inflection.plural(snakeCase(entity))
    }

    /// Whether a word is an acronym or the plural of one.
    private func isAcronym(_ word: String) -> Bool {
        let lower = word.lowercased()
        return acronyms.contains(lower)
            || (lower.hasSuffix("s") && acronyms.contains(String(lower.dropLast())))
    }

    /// The name with its first word in lower case; an acronym there is lowered as a whole.
    private func lowerFirst(_ name: String) -> String {
        if isAcronym(name) { return name.lowercased() }
        guard let word = NamingWords.split(name, acronyms: acronyms).first else { return name }
        let isCapitals = word.utf8.count > 1 && !word.utf8.contains(where: NamingWords.isLower)
        let length = isCapitals || isAcronym(word) ? word.count : 1
        return name.prefix(length).lowercased() + name.dropFirst(length)
    }

    private func upperFirst(_ word: String) -> String {
        guard isAcronym(word) else { return word.prefix(1).uppercased() + word.dropFirst() }
        let isPlural = !acronyms.contains(word.lowercased())
        return isPlural ? word.dropLast().uppercased() + "s" : word.uppercased()
    }

    /// A part between separators; one all in capitals (`SOME_KEY`) is lowered.
    private func shaped(_ part: String) -> String {
        part.utf8.contains(where: NamingWords.isLower) ? part : part.lowercased()
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        NamingWords.isSeparator(byte) || NamingWords.isUpper(byte) || NamingWords.isDigit(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
