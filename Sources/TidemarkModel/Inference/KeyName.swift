/// How likely the name of a member is that of the key.
enum KeyName: Int, Comparable, Sendable {
    /// `id`.
    case identity
    /// `_id`, MongoDB's.
    case underscoredIdentity
    /// `objectId`, Parse's.
    case objectIdentity
    /// `uuid` or `guid`.
    case unique
    /// `film_id` of a film.
    case ownIdentity
    /// The object's own address: `url`, `href` …
    case address
    /// A word that names the object: `slug`, `code`.
    case word
    /// Where there is nothing else: `key`, `name`.
    case lastResort

    /// Judges the name of a member of objects that stand under a name, given in the singular.
    init?(_ name: String, of object: String) {
        guard (2...100).contains(name.utf8.count) else { return nil }
        switch name.lowercased() {
        case "id": self = .identity
        case "_id": self = .underscoredIdentity
        case "objectid", "object_id": self = .objectIdentity
        case "uuid", "guid": self = .unique
        case "url", "uri", "href", "self", "resource_uri", "@id": self = .address
        case "slug", "code": self = .word
        case "key", "name": self = .lastResort
        default:
            let plain = Self.plain(name)
            if let reference = ReferenceName(name), !reference.isPlural,
                Self.plain(object).hasSuffix(Self.plain(reference.stem))
            {
                self = .ownIdentity
            } else if Self.lastEndings.contains(where: plain.hasSuffix) {
                self = .lastResort
            } else {
                return nil
            }
        }
    }

    static func < (left: KeyName, right: KeyName) -> Bool { left.rawValue < right.rawValue }

    /// Whether objects are known by it even where the values repeat: the same object may stand in
    /// many places.
    var isCertain: Bool { self < .address }

    /// Whether a value under the name tells which object it is, as far as one can see.
    var isTelling: Bool { self < .lastResort }

    private static let lastEndings = [
        "code", "key", "ident", "identifier", "number", "sku", "isbn", "login", "username", "xid",
    ]

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }
}

/// A name that says it holds the key of something: `user_id`, `userId`, `tag-ids`.
struct ReferenceName {
    /// The name without its ending.
    let stem: String

    /// Whether it holds several keys.
    let isPlural: Bool

    init?(_ name: String) {
        for (ending, isPlural) in Self.endings where name.hasSuffix(ending) {
            let stem = String(name.dropLast(ending.count))
            guard stem.utf8.contains(where: ASCII.isLetter) else { return nil }
            self.stem = stem
            self.isPlural = isPlural
            return
        }
        return nil
    }

    private static let endings: [(String, isPlural: Bool)] = [
        ("_id", false), ("_ids", true), ("-id", false), ("-ids", true), ("Id", false),
        ("Ids", true), ("ID", false), ("IDs", true), ("_uuid", false), ("_ID", false),
    ]
}
