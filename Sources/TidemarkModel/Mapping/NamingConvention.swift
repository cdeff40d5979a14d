/// The rules that convert names between the model and the JSON of a service.
///
/// The default suits most services, because an import accepts a name in snake case, camel case and
/// kebab case. Change it for further acronyms or plural forms. Acronyms count as words: `user_id`
/// becomes `userID`, and `imageURL` becomes `image_url`. A convention is a value; to extend one,
/// change a copy, and pass it to the `Importer` and the `Exporter`:
///
/// ```swift
/// var naming = NamingConvention.default
/// naming.acronyms.insert("html")   // Body_Html is read into bodyHTML
/// naming.inflection = naming.inflection.adding(uncountable: "feedback")
/// let importer = Importer(store, naming: naming)
/// ```
///
/// To map a single name, set the `remoteKey` of its attribute instead.
public struct NamingConvention: Hashable, Sendable {
    /// The rules for plural forms, which relate `tag_ids` to a relationship `tags`.
    ///
    /// ```swift
    /// var naming = NamingConvention.default
    /// naming.inflection = naming.inflection.adding(singular: "campus", plural: "campuses")
    /// ```
    public var inflection: Inflection

    /// Words that are written in capitals, given in lower case and in the singular.
    ///
    /// The default contains `uuid`, `id`, `pdf`, `url`, `png`, `jpg`, `uri`, `json` and `xml`.
    ///
    /// ```swift
    /// var naming = NamingConvention.default
    /// naming.acronyms.formUnion(["html", "isbn"])
    /// ```
    public var acronyms: Set<String>

    /// JSON names that an app cannot use for properties.
    ///
    /// An attribute is named after the entity and the word instead: `userType` for the `type` of a
    /// `User`. The default contains `type`, `description`, `signed`, `hash`, `self`, `default`,
    /// `class`, `init` and `objectID`.
    ///
    /// ```swift
    /// var naming = NamingConvention.default
    /// naming.reservedWords.append("operator")   // ruleOperator reads the operator of a Rule
    /// ```
    public var reservedWords: [String]

    /// The convention for Rails services and Swift apps.
    ///
    /// It is what an `Importer` and an `Exporter` use unless another one is given.
    public static let `default` = NamingConvention()

    /// Creates a convention.
    ///
    /// - Parameters:
    ///   - inflection: The rules for plural forms.
    ///   - acronyms: Words that are written in capitals, given in lower case and in the singular.
    ///   - reservedWords: JSON names that an app cannot use for properties.
    package init(
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

    /// Returns the name in lower case with underscores: `imageURL` becomes `image_url`.
    ///
    /// Existing underscores are kept, including leading and trailing ones.
    package func snakeCase(_ name: String) -> String {
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

    /// Returns the name in lower case with hyphens: `imageURL` becomes `image-url`.
    package func kebabCase(_ name: String) -> String {
        String(snakeCase(name).map { $0 == "_" ? "-" : $0 })
    }

    /// Returns the name in camel case with acronyms in capitals: `image_url` becomes `imageURL`.
    ///
    /// In a name without separators, only the first word changes: it is lowercased. Returns nil if
    /// the name contains other characters than ASCII letters, digits, `_`, `-` and spaces, or only
    /// separators.
    package func camelCase(_ name: String) -> String? {
        guard name.utf8.allSatisfy(isNameByte) else { return nil }
        let parts = name.split { $0 == "_" || $0 == "-" || $0 == " " }.map(String.init)
        guard let first = parts.first else { return nil }
        if first == name { return lowerFirst(name) }
        return parts.dropFirst().reduce(lowerFirst(shaped(first))) { $0 + upperFirst(shaped($1)) }
    }

    /// Returns the name in camel case with acronyms treated as ordinary words: `imageURL` and
    /// `image_url` become `imageUrl`.
    ///
    /// Returns nil in the same cases as ``camelCase(_:)``.
    package func plainCamelCase(_ name: String) -> String? {
        guard name.utf8.allSatisfy(isNameByte) else { return nil }
        let words = NamingWords.split(name, acronyms: acronyms).map { $0.lowercased() }
        guard let first = words.first else { return nil }
        return words.dropFirst().reduce(first) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// Returns the name that a service uses for the list of an entity: `SalesPerson` becomes
    /// `sales_people`.
    package func collectionName(of entity: String) -> String {
        inflection.plural(snakeCase(entity))
    }

    /// Returns whether a word is an acronym or the plural form of one.
    private func isAcronym(_ word: String) -> Bool {
        let lower = word.lowercased()
        return acronyms.contains(lower)
            || (lower.hasSuffix("s") && acronyms.contains(String(lower.dropLast())))
    }

    /// Returns the name with its first word in lower case.
    ///
    /// A leading acronym is lowercased entirely.
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

    /// Returns a part between separators.
    ///
    /// A part in capitals (`SOME_KEY`) is lowercased.
    private func shaped(_ part: String) -> String {
        part.utf8.contains(where: NamingWords.isLower) ? part : part.lowercased()
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        NamingWords.isSeparator(byte) || NamingWords.isUpper(byte) || NamingWords.isDigit(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
