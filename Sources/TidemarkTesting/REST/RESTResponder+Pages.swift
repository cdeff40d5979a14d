extension RESTResponder {
    /// Returns a page by its number.
    func page(_ query: FakeQuery, of collection: inout FakeCollection) -> FakeResponse {
        var query = query
        let size = max(1, rest.pageSize)
        query.limit = size
        guard let number = number(of: query, size: size, in: &collection), number <= Int.max / size
        else {
            return notFound("Invalid page.")
        }
        query.offset = (number - 1) * size
        let found = collection.select(query)
        guard number == 1 || !found.indices.isEmpty else { return notFound("Invalid page.") }
        return response(
            found,
            of: &collection,
            counted: true,
            next: found.hasMore ? link(["page": "\(number + 1)"]) : nil,
            previous: number > 1 ? link(["page": "\(number - 1)"]) : nil
        )
    }

    /// Returns the requested page number; nil if it is invalid.
    private func number(
        of query: FakeQuery,
        size: Int,
        in collection: inout FakeCollection
    ) -> Int? {
        switch request["page"] {
        case nil, ""?: 1
        case "last"?: max(1, (collection.select(query).total + size - 1) / size)
        default: request.number("page").flatMap { $0 >= 1 ? $0 : nil }
        }
    }

    /// Returns a link to another page.
    ///
    /// Parameters are sorted by name, and those without a value are removed, as Django REST
    /// framework does.
    private func link(_ changes: KeyValuePairs<String, String?>) -> String {
        var request = request
        request.query.removeAll { $0.value.isEmpty }
        return request.address(changes, order: .byName)
    }

    /// Returns `limit` objects from an offset.
    func window(_ query: FakeQuery, of collection: inout FakeCollection) -> FakeResponse {
        var query = query
        let limit = request.number("limit") ?? 0
        query.limit = limit > 0 ? limit : max(1, rest.pageSize)
        query.offset = max(0, request.number("offset") ?? 0)
        let found = collection.select(query)
        let size = "\(query.limit)"
        let before = query.offset > query.limit ? "\(query.offset - query.limit)" : nil
        return response(
            found,
            of: &collection,
            counted: true,
            next: found.hasMore
                ? link(["limit": size, "offset": "\(query.offset + query.limit)"])
                : nil,
            previous: query.offset > 0
                ? link(["limit": size, "offset": before]) : nil
        )
    }

    /// Returns a page after a cursor.
    func portion(
        _ query: FakeQuery,
        by name: String,
        of collection: inout FakeCollection
    ) -> FakeResponse {
        var query = query
        if query.order.isEmpty { query.order = FakeQuery.names(name).map(order) }
        // The key makes the order total, so that a cursor identifies one position.
        query.order.append(FakeQuery.Order(field: .key))
        query.counts = false
        query.limit = max(1, rest.pageSize)
        if let cursor = request["cursor"] {
            guard let position = FakePosition(cursor, fields: query.order.count) else {
                return notFound("Invalid cursor")
            }
            query.filter = query.filter && position.following(query.order)
        }
        let found = collection.select(query)
        let last = found.indices.last.flatMap { collection.slots[$0] }
        let position = found.hasMore ? last.map { FakePosition($0, in: query.order) } : nil
        return response(
            found,
            of: &collection,
            counted: false,
            next: position.map { link(["cursor": $0.text]) },
            previous: nil
        )
    }
}
