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
    init(
        _ request: FakeDialect.Request,
        _ kinto: FakeDialect.Kinto,
        now: Int64
    ) throws(KintoFailure) {
        var filters: [FakeFilter] = []
        for (name, value) in request.query {
            if let filter = try Self.filter(name, value, now) { filters.append(filter) }
        }
        if !filters.isEmpty { filter = .and(filters) }
        query.counts = false
        query.includesGone = filters.contains { $0.isAbout(.changed) }
        query.order = Self.order(request["_sort"] ?? "")
        query.limit = try Self.limit(request["_limit"], kinto) ?? .max
        query.filter = filter
        fields = request["_fields"].flatMap { $0.isEmpty ? nil : $0 }.map { names in
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
        let limit = Int(try number("_limit", text))
        // None at all is as good as no limit.
        guard limit > 0 else { return nil }
        return kinto.paginateBy.map { min($0, limit) } ?? limit
    }
}
