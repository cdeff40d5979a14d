import TidemarkTestSupport

/// A generator of random documents: lists of records whose names and values mostly resemble those
/// of services.
struct RandomSample {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    private static let names = [
        "name", "type", "user", "users", "user_id", "userId", "user_ids", "tag", "tags", "tagIds",
        "fooBar", "foo_bar", "FooBar", "FOO", "foo", "Foo", "_rev", "url", "1st", "a b", "größe",
        "parent_id", "children", "id_", "data", "items", "code", "remoteID", "_id", "self",
        "user-id",
    ]

    private static let texts = [
        "", "a", "172", "unknown", "2014-12-09", "2014-12-09T13:50:51Z", "https://h/users/1",
        "https://h/tags/2/", "550e8400-e29b-41d4-a716-446655440000", "yes", "true", "a\\u0000b",
        "\\ud83d\\ude00", "/tags/3",
    ]

    /// Returns a list of records with distinct ids.
    mutating func list() -> String {
        let items = (0..<Int.random(in: 1...6, using: &chance)).map { object(id: $0, depth: 0) }
        return "[\(items.joined(separator: ","))]"
    }

    private mutating func object(id: Int?, depth: Int) -> String {
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 0...6, using: &chance) { names.insert(pick(Self.names)) }
        var members = names.sorted().map { #""\#($0)":\#(value(depth: depth + 1))"# }
        if let id { members.append(#""id":\#(id)"#) }
        return "{\(members.shuffled(using: &chance).joined(separator: ","))}"
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &chance) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2: return pick(["0", "1", "2", "-7", "1.5", "1e400", "12345678901234567890"])
        case 3, 4, 5: return "\"\(pick(Self.texts))\""
        case 6:
            let count = Int.random(in: 0...3, using: &chance)
            return "[\((0..<count).map { _ in value(depth: depth + 1) }.joined(separator: ","))]"
        default:
            let hasID = Bool.random(using: &chance)
            let object = object(
                id: hasID ? Int.random(in: 0..<5, using: &chance) : nil,
                depth: depth
            )
            return Bool.random(using: &chance) ? object : "[\(object)]"
        }
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: choices.indices, using: &chance)]
    }
}
