/// What the parameters of a list of Kinto ask for.
struct KintoQuery {
    /// The part of the list.
    var query = FakeQuery()

    /// Which records the list has, all its parts together.
    var filter = FakeFilter.all

    /// The members that come; nil for all.
    var fields: Set<String>?

    /// Reads the parameters.
    ///
    /// - Throws: ``KintoFailure`` where one says nothing that can be asked.
    init(_ request: FakeDialect.Request, _ kinto: FakeDialect.Kinto) throws(KintoFailure) {
        var filters: [FakeFilter] = []
        for (name, value) in request.query {
            if let filter = try Self.filter(name, value) { filters.append(filter) }
        }
        if !filters.isEmpty { filter = .and(filters) }
        query.counts = false
        query.includesGone = filters.contains { $0.isAbout(.changed) }
        query.order = Self.order(request["_sort"] ?? "")
        query.limit = try Self.limit(request["_limit"], kinto) ?? .max
        query.filter = filter
        fields = request["_fields"].map { names in
            Set(names.split(separator: ",").map { $0.prefix { $0 != "." }.trimmed })
        }
        guard let token = request["_token"] else { return }
        guard let position = FakePosition(token, fields: query.order.count) else {
            throw .invalid(nil, "_token has invalid content")
        }
        query.filter = filter && position.following(query.order)
    }

    private static func order(_ text: String) -> [FakeQuery.Order] {
        let names = FakeQuery.names(text).filter { !$0.name.isEmpty }
        let order = names.map { name, isDescending in
            FakeQuery.Order(field: field(name), isDescending: isDescending)
        }
        let isTotal = order.contains { $0.field == .changed }
        return isTotal ? order : order + [FakeQuery.Order(field: .changed, isDescending: true)]
    }

    private static func limit(
        _ text: String?,
        _ kinto: FakeDialect.Kinto
    ) throws(KintoFailure) -> Int? {
        guard let text else { return kinto.paginateBy }
        guard let limit = Int(text), limit >= 0 else {
            throw .invalid("_limit", "\"\(text)\" is not a number")
        }
        guard limit > 0 else { return kinto.paginateBy }
        return kinto.paginateBy.map { min($0, limit) } ?? limit
    }

    // MARK: Filters

    private static let comparisons: KeyValuePairs<String, FakeComparison> = [
        "min_": .greaterOrEqual, "max_": .lessOrEqual, "gt_": .greater, "lt_": .less,
    ]

    private static func filter(
        _ name: String,
        _ value: String
    ) throws(KintoFailure) -> FakeFilter? {
        switch name {
        case "_since", "_before", "_to":
            let bare = value.hasPrefix("\"") ? value.filter { $0 != "\"" } : value
            guard let stamp = whole(bare) else {
                throw .invalid(name, "Invalid value for \(name)")
            }
            let comparison = name == "_since" ? FakeComparison.greater : .less
            return .compare(.changed, comparison, .number(stamp * 1_000))
        default: break
        }
        guard !name.hasPrefix("_") else { return nil }
        for (prefix, comparison) in comparisons where name.hasPrefix(prefix) {
            let field = field(String(name.dropFirst(prefix.count)))
            return .compare(field, comparison, Self.value(value, of: field))
        }
        for prefix in ["in_", "exclude_"] where name.hasPrefix(prefix) {
            let field = field(String(name.dropFirst(prefix.count)))
            let values = value.split(separator: ",").map { Self.value(String($0), of: field) }
            let filter = FakeFilter.oneOf(field, values)
            return prefix == "in_" ? filter : .not(filter)
        }
        if name.hasPrefix("not_") {
            let field = field(String(name.dropFirst(4)))
            return .not(.compare(field, .equal, Self.value(value, of: field)))
        }
        let field = field(name)
        return .compare(field, .equal, Self.value(value, of: field))
    }

    private static func field(_ name: String) -> FakeField {
        switch name {
        case "id": .key
        case "last_modified": .changed
        default: .member(name)
        }
    }

    /// A value as Kinto takes it: as JSON where it is some, else as a text.
    private static func value(_ text: String, of field: FakeField) -> FakeValue {
        switch field {
        case .key: .text(text)
        case .changed, .created:
            whole(text.filter { $0 != "\"" }).map { .number($0 * 1_000) } ?? .text(text)
        case .member: FakeJSON(ifValid: text.utf8).map { FakeValue($0) } ?? .text(text)
        }
    }

    /// A whole number, however long.
    private static func whole(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}

extension FakeFilter {
    /// Whether a field is compared.
    fileprivate func isAbout(_ field: FakeField) -> Bool {
        switch self {
        case .all: false
        case .compare(let own, _, _), .lies(_, let own, _), .exists(let own): own == field
        case .not(let filter): filter.isAbout(field)
        case .and(let filters), .or(let filters): filters.contains { $0.isAbout(field) }
        }
    }
}
