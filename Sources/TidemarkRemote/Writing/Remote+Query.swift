import TidemarkJSON
import TidemarkModel

extension Remote {
    /// Returns the request for the objects of a list that equal one that was sent.
    ///
    /// - Parameters:
    ///   - body: The body of the request that created the object.
    ///   - resource: The list, in whose style the parameter is named.
    /// - Returns: The request for the first page; nil if the service cannot select objects, or if
    ///   the body does not contain the member that it selects them by.
    /// - Throws: ``RemoteError`` if the path leads to another origin.
    package func request(
        forObjectsLike body: [UInt8],
        in resource: RemoteResource
    ) throws -> PageRequest? {
        guard case .query(let parameter) = resource.push.reconcile,
            case .success(let document) = Result(catching: {
                try JSONDocument(body, limits: limits.json)
            })
        else { return nil }
        let wrapper = resource.push.wrapper(for: .create).name(for: resource.entity)
        let condition = document.withRoot { root -> String? in
            guard let object = root.node(at: JSONPath(wrapper.map { [$0] } ?? [])) else {
                return nil
            }
            return resource.push.queriesAllValues
                ? object.equalityConditions : object.member(parameter)?.parameterText
        }
        guard let condition else { return nil }
        let list = ListQuery(style: resource.style, mode: .list).first
        let url = try service.url(of: resource).setting(list + [QueryItem(parameter, condition)])
        return url.map { PageRequest(resuming: resource, at: $0, number: 1) }
    }
}

extension PushStyle {
    /// Whether objects are selected by all values that were sent, as in the query language of
    /// Parse; other services have a parameter for one member.
    ///
    /// That no object has all values does not show that it was not created: another client may have
    /// changed it since.
    package var queriesAllValues: Bool { body.references == .pointers }
}

extension PushStyle.Wrapper {
    /// Returns the name of the member that contains the object; nil if the body is the object.
    package func name(for entity: String) -> String? {
        switch self {
        case .object: nil
        case .member(let name) where name.utf8.contains(UInt8(ascii: "{")):
            name.replacing("{entity}", with: NamingConvention.default.snakeCase(entity))
        case .member(let name): name
        case .resource: "data"
        }
    }
}

extension JSONNode {
    /// The members with one value, as a condition of Parse; nil without any.
    ///
    /// Source: Parse REST API, “Queries”. Lists and nulls are left out, which `where` compares in
    /// other ways.
    fileprivate var equalityConditions: String? {
        var json = JSONWriter()
        json.beginObject()
        var isEmpty = true
        for (name, value) in members {
            switch value.kind {
            case .array, .null: continue
            case .object where value.member("__type") == nil: continue
            case .object, .string, .number, .true, .false: break
            }
            json.key(name.string)
            json.raw(value.source)
            isEmpty = false
        }
        json.endObject()
        return isEmpty ? nil : String(decoding: json.bytes, as: UTF8.self)
    }

    /// The value as text; nil if it is not a single one.
    fileprivate var parameterText: String? {
        switch kind {
        case .string: string.isEmpty ? nil : string
        case .number, .true, .false: String(decoding: text, as: UTF8.self)
        case .null, .object, .array: nil
        }
    }
}
