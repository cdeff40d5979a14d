extension RESTAnswer {
    /// A page by its number.
    func page(_ query: FakeQuery, _ collection: inout FakeCollection) -> FakeResponse {
        var query = query
        let size = max(1, rest.pageSize)
        let number = request["page"] == nil ? 1 : request.number("page") ?? 0
        guard number >= 1, number <= Int.max / size else { return notFound("Invalid page.") }
        query.limit = size
        query.offset = (number - 1) * size
        let found = collection.select(query)
        guard number == 1 || !found.places.isEmpty else { return notFound("Invalid page.") }
        return response(
            found,
            of: &collection,
            counted: true,
            next: found.hasMore ? request.address(["page": "\(number + 1)"]) : nil,
            previous: number > 1 ? request.address(["page": "\(number - 1)"]) : nil
        )
    }

    /// A window of a number of objects, at an offset.
    func window(_ query: FakeQuery, _ collection: inout FakeCollection) -> FakeResponse {
        var query = query
        let asked = request.number("limit") ?? 0
        query.limit = asked > 0 ? asked : max(1, rest.pageSize)
        query.offset = max(0, request.number("offset") ?? 0)
        let found = collection.select(query)
        let limit = "\(query.limit)"
        let before = query.offset > query.limit ? "\(query.offset - query.limit)" : nil
        return response(
            found,
            of: &collection,
            counted: true,
            next: found.hasMore
                ? request.address(["limit": limit, "offset": "\(query.offset + query.limit)"])
                : nil,
            previous: query.offset > 0
                ? request.address(["limit": limit, "offset": before]) : nil
        )
    }

    /// What follows a position in an order of the service's own.
    func portion(
        _ query: FakeQuery,
        by name: String,
        _ collection: inout FakeCollection
    ) -> FakeResponse {
        var query = query
        if query.order.isEmpty { query.order = FakeQuery.names(name).map(order) }
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
        let last = found.places.last.flatMap { collection.slots[$0] }
        let position = found.hasMore ? last.map { FakePosition($0, in: query.order) } : nil
        return response(
            found,
            of: &collection,
            counted: false,
            next: position.map { request.address(["cursor": $0.text]) },
            previous: nil
        )
    }
}
