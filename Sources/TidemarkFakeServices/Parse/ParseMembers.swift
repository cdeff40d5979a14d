import TidemarkTesting

/// The members of objects that a client of Parse requested, and the pointers to include.
struct ParseMembers {
    private let keys: Set<String>?
    private let excluded: Set<String>
    private let include: [[String]]

    /// The maximum depth of included pointers.
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

    /// Whether objects are returned unchanged, so that their JSON can be cached.
    var areAll: Bool { keys == nil && excluded.isEmpty && include.isEmpty }

    func object(_ record: FakeRecord, in contents: FakeContents) -> FakeJSON {
        var object = Self.whole(record)
        for path in include { object = Self.following(path[...], from: object, in: contents) }
        guard case .object(let members) = object else { return object }
        return .object(
            members.filter { member in
                keys?.contains(member.name) != false && !excluded.contains(member.name)
            }
        )
    }

    /// Returns an object with the members that the server manages.
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

    /// Returns an object in which the pointers along a path are replaced by the objects.
    private static func following(
        _ path: ArraySlice<String>,
        from object: FakeJSON,
        in contents: FakeContents
    ) -> FakeJSON {
        guard let name = path.first, path.startIndex < depth, case .object(let members) = object
        else { return object }
        return .object(
            members.map { member in
                guard member.name == name || name == "*" else { return member }
                let rest = path.dropFirst()
                return .init(member.name, target(of: member.value, following: rest, in: contents))
            }
        )
    }

    private static func target(
        of value: FakeJSON,
        following rest: ArraySlice<String>,
        in contents: FakeContents
    ) -> FakeJSON {
        if let elements = value.elements {
            return .array(elements.map { target(of: $0, following: rest, in: contents) })
        }
        // The value was included by an earlier path, and a later path may go further.
        if value["__type"] == "Object" { return following(rest, from: value, in: contents) }
        guard value["__type"] == "Pointer", let name = value["className"]?.string,
            let key = value["objectId"]?.string, let record = contents[name]?[key],
            !record.isDeleted,
            case .object(let members) = whole(record)
        else { return value }
        let type: [FakeJSON.Member] = [
            .init("__type", "Object"), .init("className", .string(name)),
        ]
        return following(rest, from: .object(type + members), in: contents)
    }
}
