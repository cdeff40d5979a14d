import TidemarkTesting

extension JSONAPIResponder {
    /// Returns the requested order.
    ///
    /// Only members that some resource has are permitted.
    func order(among members: Set<String>) throws(JSONAPIFailure) -> [FakeQuery.Order] {
        var order: [FakeQuery.Order] = []
        for (name, isDescending) in FakeQuery.names(request["sort"] ?? "") {
            let field = api.timestamps.field(name)
            if case .member = field, !members.contains(name) {
                throw .parameter("sort", detail: "Resources cannot be sorted by \(name).")
            }
            order.append(FakeQuery.Order(field: field, isDescending: isDescending))
        }
        return order
    }

    /// Returns the filter that the `filter[NAME]` parameters specify.
    func filter() throws(JSONAPIFailure) -> FakeFilter {
        var filters: [FakeFilter] = []
        for (name, value) in request.query where name.hasPrefix("filter[") {
            let field = String(name.dropFirst(7).dropLast())
            guard field == api.since else {
                let texts = value.split(separator: ",").map(String.init)
                filters.append(.or(texts.map { .reads($0, in: field) }))
                continue
            }
            guard let moment = FakePrecision.moment(value) else {
                throw .parameter(name, detail: "\(value) is not a time.")
            }
            filters.append(.compare(.changed, .greaterOrEqual, .moment(moment)))
        }
        return filters.isEmpty ? .all : .and(filters)
    }

    /// Returns the requested page size.
    func size() throws(JSONAPIFailure) -> Int {
        let size = try number("page[size]", default: max(1, api.pageSize))
        guard size <= max(1, api.maxPageSize) else {
            throw .parameter(
                "page[size]",
                detail: "A page has at most \(api.maxPageSize) resources."
            )
        }
        return size
    }

    /// Returns a positive number from a parameter, or a default value.
    func number(_ name: String, default fallback: Int) throws(JSONAPIFailure) -> Int {
        guard let text = request[name] else { return fallback }
        guard let number = Int(text), number > 0 else {
            throw .parameter(name, detail: "\(text) is not a number from 1 on.")
        }
        return number
    }
}

extension FakeFilter {
    /// Returns a filter for a member that equals a text, or the JSON value that the text contains.
    fileprivate static func reads(_ text: String, in name: String) -> FakeFilter {
        let read = FakeJSON(ifValid: text.utf8).map { FakeValue($0) }
        return .oneOf([.text(text)] + (read.map { [$0] } ?? []), in: .member(name))
    }
}
