/// Which members of an object a client of Parse asked for, and which pointers it wants followed.
struct ParseMembers {
    private let keys: Set<String>?
    private let excluded: Set<String>
    private let include: [[String]]

    /// How deep pointers are followed, whatever is asked.
    private static let depth = 10

    init(_ request: FakeDialect.Request) {
        func names(_ parameter: String) -> [String] {
            (request[parameter] ?? "").split(separator: ",").map(\.trimmed)
        }
        let roots = names("keys").map { $0.split(separator: ".").first.map(String.init) ?? "" }
        keys =
            roots.isEmpty ? nil : Set(roots).union(["objectId", "createdAt", "updatedAt", "ACL"])
        excluded = Set(names("excludeKeys")).subtracting(["objectId", "createdAt", "updatedAt"])
        include = names("include").map { $0.split(separator: ".").map(String.init) }
    }

    /// Whether objects come just as they are.
    var areAll: Bool { keys == nil && excluded.isEmpty && include.isEmpty }

    func object(_ record: FakeRecord, _ contents: FakeContents) -> FakeJSON {
        var object = Self.whole(record)
        for path in include { object = Self.following(path[...], from: object, contents) }
        guard case .object(let members) = object else { return object }
        return .object(
            members.filter { member in
                keys?.contains(member.name) != false && !excluded.contains(member.name)
            }
        )
    }

    /// An object with what the server says of it.
    private static func whole(_ record: FakeRecord) -> FakeJSON {
        guard case .object(let members) = record.object else { return record.object }
        let own: Set = ["objectId", "createdAt", "updatedAt"]
        return .object(
            [.init("objectId", .string(record.key))] + members.filter { !own.contains($0.name) } + [
                .init("createdAt", .string(FakePrecision.milliseconds.text(record.created))),
                .init("updatedAt", .string(FakePrecision.milliseconds.text(record.changed))),
            ]
        )
    }

    /// An object with the objects that pointers along a path mean in their place.
    private static func following(
        _ path: ArraySlice<String>,
        from object: FakeJSON,
        _ contents: FakeContents
    ) -> FakeJSON {
        guard let name = path.first, path.startIndex < depth, case .object(let members) = object
        else { return object }
        return .object(
            members.map { member in
                guard member.name == name || name == "*" else { return member }
                let rest = path.dropFirst()
                return .init(member.name, target(of: member.value, rest, contents))
            }
        )
    }

    private static func target(
        of value: FakeJSON,
        _ rest: ArraySlice<String>,
        _ contents: FakeContents
    ) -> FakeJSON {
        if let elements = value.elements {
            return .array(elements.map { target(of: $0, rest, contents) })
        }
        // What was followed before may be followed further.
        if value["__type"] == "Object" { return following(rest, from: value, contents) }
        guard value["__type"] == "Pointer", let name = value["className"]?.string,
            let key = value["objectId"]?.string, let record = contents[name]?[key], !record.isGone,
            case .object(let members) = whole(record)
        else { return value }
        let type: [FakeJSON.Member] = [
            .init("__type", "Object"), .init("className", .string(name)),
        ]
        return following(rest, from: .object(type + members), contents)
    }
}
