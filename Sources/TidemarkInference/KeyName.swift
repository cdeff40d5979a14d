import TidemarkJSON
import TidemarkModel

/// How likely a member is the key, judging by its name.
///
/// Lower values are more likely.
enum KeyName: Int, Comparable, Sendable {
    /// `id`.
    case identity
    /// `_id`, as in MongoDB.
    case underscoredIdentity
    /// `objectId`, as in Parse.
    case objectIdentity
    /// `uuid` or `guid`.
    case unique
    /// The name of the entity followed by `_id`: `film_id` of a film.
    case ownIdentity
    /// The object's own URL by the name of a link relation: `self`, `_links.self.href`.
    case selfLink
    /// A URL that may be the object's own: `url`, `href` …
    case address
    /// A word that identifies the object: `slug`, `code`.
    case word
    /// A name to use only if there is no better one: `key`, `name`.
    case lastResort

    /// Creates the rank of a member's name, or nil if it is not that of a key.
    ///
    /// The object is given by the singular form of the name under which the objects appear.
    init?(_ name: String, of object: String) {
        guard (2...100).contains(name.utf8.count) else { return nil }
        switch name.lowercased() {
        case "id": self = .identity
        case "_id": self = .underscoredIdentity
        case "objectid", "object_id": self = .objectIdentity
        case "uuid", "guid": self = .unique
        case "self", "_self", "selflink", "self_link", "self_url", "selfurl": self = .selfLink
        case "url", "uri", "href", "resource_uri", "@id": self = .address
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

    /// Whether the name alone makes the member the key.
    ///
    /// Its values may repeat, since the same object may be nested in several others.
    var isCertain: Bool { self < .selfLink }

    /// Whether the values are URLs.
    var isAddress: Bool { self == .selfLink || self == .address }

    /// Whether values under the name probably identify objects.
    var isLikely: Bool { self < .lastResort }

    private static let lastEndings = [
        "code", "key", "ident", "identifier", "number", "sku", "isbn", "login", "username", "xid",
    ]

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }
}

/// A name that marks its values as keys of other objects: `user_id`, `userId`, `tag-ids`.
struct ReferenceName {
    /// The name without the suffix.
    let stem: String

    /// Whether the member contains several keys.
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
