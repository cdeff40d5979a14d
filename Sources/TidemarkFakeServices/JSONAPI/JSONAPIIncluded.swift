import TidemarkTesting

/// The resources that a request includes with the primary data (`include`).
struct JSONAPIIncluded {
    private let paths: [[String]]
    private let relationships: [String: [String: String]]
    private var found: [(type: String, record: FakeRecord)] = []
    private var known: Set<String>

    /// The maximum number of relationships in a path.
    private static let depth = 10

    /// Parses the value of the `include` parameter.
    ///
    /// - Throws: ``JSONAPIFailure`` if a path contains a name that is not a relationship.
    init(
        _ text: String,
        from type: String,
        relationships: [String: [String: String]],
        besides records: [FakeRecord]
    ) throws(JSONAPIFailure) {
        self.relationships = relationships
        paths = text.split(separator: ",").map { $0.split(separator: ".").map(String.init) }
        known = Set(records.map { "\(type)/\($0.key)" })
        for path in paths { try Self.check(path, from: type, relationships: relationships) }
    }

    private static func check(
        _ path: [String],
        from type: String,
        relationships: [String: [String: String]]
    ) throws(JSONAPIFailure) {
        guard path.count <= depth else {
            throw .parameter(
                "include",
                detail: "A path of \(path.count) relationships is too long."
            )
        }
        var type = type
        for name in path {
            guard let target = relationships[type]?[name] else {
                throw .parameter("include", detail: "\(type) has no relationship \(name).")
            }
            type = target
        }
    }

    /// Returns the included resources, each of them once.
    mutating func resources(
        from records: [FakeRecord],
        of type: String,
        in contents: FakeContents
    ) -> [(type: String, record: FakeRecord)] {
        for path in paths { follow(path[...], from: records, of: type, in: contents) }
        return found
    }

    private mutating func follow(
        _ path: ArraySlice<String>,
        from records: [FakeRecord],
        of type: String,
        in contents: FakeContents
    ) {
        guard let name = path.first, let target = relationships[type]?[name],
            let collection = contents[target]
        else { return }
        var reached: Set<String> = []
        let next = records.flatMap { JSONAPIResources.keys($0.object[name]) }
            .filter { reached.insert($0).inserted }
            .compactMap { collection[$0] }
            .filter { !$0.isDeleted }
        for record in next where known.insert("\(target)/\(record.key)").inserted {
            found.append((target, record))
        }
        follow(path.dropFirst(), from: next, of: target, in: contents)
    }
}
