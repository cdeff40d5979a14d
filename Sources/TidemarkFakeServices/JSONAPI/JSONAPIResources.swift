import TidemarkTesting

/// Renders objects as resources, with the fields that the client requested (`fields[TYPE]`).
struct JSONAPIResources {
    let request: FakeDialect.Request
    let api: FakeDialect.JSONAPI

    private let fields: [String: Set<String>]

    init(_ request: FakeDialect.Request, api: FakeDialect.JSONAPI) {
        self.request = request
        self.api = api
        var fields: [String: Set<String>] = [:]
        for (name, value) in request.query where name.hasPrefix("fields[") && name.hasSuffix("]") {
            let type = String(name.dropFirst(7).dropLast())
            fields[type] = Set(value.split(separator: ",").map(\.trimmed))
        }
        self.fields = fields
    }

    /// Whether the request does not restrict fields.
    var areComplete: Bool { fields.isEmpty }

    func rendering(of type: String) -> FakeRendering {
        FakeRendering(request: request) { resource($0, of: type) }
    }

    func resource(_ record: FakeRecord, of type: String) -> FakeJSON {
        let targets = api.relationships[type] ?? [:]
        var attributes: [FakeJSON.Member] = []
        var relationships: [FakeJSON.Member] = []
        let object = api.timestamps.object(record, formatting: api.timestamps.printed.text)
        guard case .object(let members) = object else { return .null }
        for member in members where member.name != "id" {
            if let fields = fields[type], !fields.contains(member.name) { continue }
            guard let target = targets[member.name] else {
                attributes.append(member)
                continue
            }
            let linkage = Self.linkage(member.value, to: target)
            relationships.append(.init(member.name, ["data": linkage]))
        }
        var resource: FakeJSON = ["type": .string(type), "id": .string(record.key)]
        if !attributes.isEmpty { resource["attributes"] = .object(attributes) }
        if !relationships.isEmpty { resource["relationships"] = .object(relationships) }
        let address = "\(request.base)\(type)/\(record.key.queryEncoded())"
        resource["links"] = ["self": .string(address)]
        return resource
    }

    // MARK: Linkage

    private static func linkage(_ value: FakeJSON, to type: String) -> FakeJSON {
        if let elements = value.elements {
            return .array(elements.compactMap { identifier($0, of: type) })
        }
        return identifier(value, of: type) ?? .null
    }

    private static func identifier(_ value: FakeJSON, of type: String) -> FakeJSON? {
        key(value).map { ["type": .string(type), "id": .string($0)] }
    }

    /// Returns the keys of the objects to which a value leads.
    static func keys(_ value: FakeJSON?) -> [String] {
        switch value {
        case .array(let elements)?: elements.compactMap(key)
        case let value?: key(value).map { [$0] } ?? []
        case nil: []
        }
    }

    /// Returns the key in an id, a URL or an object.
    private static func key(_ value: FakeJSON) -> String? {
        switch value {
        case .string(let text): text.split(separator: "/").last.map(String.init)
        case .number(let digits): digits
        case .object: value.identity(in: ["id"])
        case .null, .bool, .array: nil
        }
    }
}
