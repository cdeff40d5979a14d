import TidemarkTesting

/// The query that the parameters of a Kinto list specify.
struct KintoQuery {
    /// The query for one page.
    var query = FakeQuery()

    /// The filter of the whole list, without the position of the page.
    var filter = FakeFilter.all

    /// The requested members; nil for all.
    var fields: Set<String>?

    /// Parses the parameters.
    ///
    /// - Throws: ``KintoFailure`` if a parameter is invalid.
    init(
        _ request: FakeDialect.Request,
        kinto: FakeDialect.Kinto,
        now: Int64
    ) throws(KintoFailure) {
        var filters: [FakeFilter] = []
        for (name, value) in request.query {
            if let filter = try Self.filter(name, value: value, now: now) { filters.append(filter) }
        }
        if !filters.isEmpty { filter = .and(filters) }
        query.counts = false
        // Only a query for changes returns tombstones.
        query.includesDeleted = filters.contains { $0.isAbout(.changed) }
        query.order = Self.order(request["_sort"] ?? "")
        query.limit = try Self.limit(request["_limit"], kinto: kinto) ?? .max
        query.filter = filter
        fields = request["_fields"].flatMap { $0.isEmpty ? nil : $0 }.map { names in
            Set(names.split(separator: ",").map { $0.prefix { $0 != "." }.trimmed })
        }
        guard let token = request["_token"] else { return }
        guard let position = FakePosition(token, fields: query.order.count) else {
            throw .invalid("_token has invalid content")
        }
        query.filter = filter && position.following(query.order)
    }

    private static func order(_ text: String) -> [FakeQuery.Order] {
        let names = FakeQuery.names(text).filter { !$0.name.isEmpty }
        let order = names.map { name, isDescending in
            FakeQuery.Order(field: field(name), isDescending: isDescending)
        }
        // The timestamps of a collection are unique, so an order that contains them is total.
        let isTotal = order.contains { $0.field == .changed }
        return isTotal ? order : order + [FakeQuery.Order(field: .changed, isDescending: true)]
    }

    private static func limit(
        _ text: String?,
        kinto: FakeDialect.Kinto
    ) throws(KintoFailure) -> Int? {
        guard let text else { return kinto.paginateBy }
        let limit = Int(try number(text, of: "_limit"))
        // Kinto treats a limit of 0 as no limit.
        guard limit > 0 else { return nil }
        return kinto.paginateBy.map { min($0, limit) } ?? limit
    }
}
