import HTTPTypes
import TidemarkTesting

/// Creates the responses of a Parse server.
struct ParseResponder {
    let request: FakeDialect.Request
    let parse: FakeDialect.Parse

    func response(from contents: inout FakeContents) -> FakeResponse {
        let steps = request.steps
        guard steps.first == "classes", (2...3).contains(steps.count) else {
            return .html(
                "<pre>Cannot \(request.http.method.rawValue) this</pre>",
                status: .notFound
            )
        }
        do throws(ParseFailure) {
            guard [.get, .head].contains(request.http.method) else { throw ParseFailure.readOnly }
            return steps.count == 2
                ? try list(steps[1], in: &contents)
                : try object(steps[2], of: steps[1], in: contents)
        } catch {
            return error.response
        }
    }

    // MARK: Objects

    private func object(
        _ key: String,
        of name: String,
        in contents: FakeContents
    ) throws(ParseFailure) -> FakeResponse {
        try expect(["keys", "excludeKeys", "include"])
        guard let record = contents[name]?[key], !record.isDeleted else { throw .notFound }
        return FakeResponse(
            .bytes(rendering(contents).bytes(record), type: "application/json; charset=utf-8")
        )
    }

    private func rendering(_ contents: FakeContents) -> FakeRendering {
        let members = ParseMembers(request)
        return FakeRendering(request: request) { members.object($0, in: contents) }
    }

    // MARK: Lists

    private func list(
        _ name: String,
        in contents: inout FakeContents
    ) throws(ParseFailure) -> FakeResponse {
        try expect([
            "where", "order", "limit", "skip", "keys", "excludeKeys", "include", "count",
        ])
        var query = FakeQuery()
        if let text = request["where"] { query.filter = try ParseWhere(text).filter }
        query.order = FakeQuery.names(request["order"] ?? "").map { name, isDescending in
            FakeQuery.Order(field: ParseWhere.field(name), isDescending: isDescending)
        }
        query.limit = try limit()
        query.offset = try number("skip", code: 118) ?? 0
        query.counts = request["count"].map { $0 != "0" && $0 != "false" } ?? false
        // Parse responds for an unknown class as for a class without objects.
        guard let found = contents.withCollection(named: name, { $0.select(query) }) else {
            return response([], count: query.counts ? 0 : nil)
        }
        let bytes: [[UInt8]]
        if ParseMembers(request).areAll {
            let rendering = rendering(FakeContents.empty)
            bytes =
                contents.withCollection(named: name) { rendering.bytes(found.indices, of: &$0) }
                ?? []
        } else {
            let rendering = rendering(contents)
            bytes = contents[name].map { rendering.renderedBytes(found.indices, of: $0) } ?? []
        }
        return response(bytes, count: query.counts ? found.total : nil)
    }

    private func response(_ items: [[UInt8]], count: Int?) -> FakeResponse {
        let count = count.map { [("count", FakeRendering.Part.json(.number("\($0)")))] } ?? []
        let body = FakeRendering.object([("results", .list(items))] + count)
        return FakeResponse(.bytes(body, type: "application/json; charset=utf-8"))
    }

    private func limit() throws(ParseFailure) -> Int {
        let limit = try number("limit", code: 117) ?? parse.defaultLimit
        return min(limit, max(0, parse.maxLimit))
    }

    private func number(_ name: String, code: Int) throws(ParseFailure) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw ParseFailure(code: code, message: "Invalid value for \(name): \(text)")
        }
        return number
    }

    private func expect(_ names: Set<String>) throws(ParseFailure) {
        guard let other = request.query.first(where: { !names.contains($0.name) }) else { return }
        throw .badQuery("Invalid parameter for query: \(other.name)")
    }
}
