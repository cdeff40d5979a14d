import HTTPTypes
import TidemarkTesting

/// Creates the responses of a JSON:API service.
struct JSONAPIResponder {
    let request: FakeDialect.Request
    let api: FakeDialect.JSONAPI

    func response(from contents: inout FakeContents) -> FakeResponse {
        do {
            return try respond(from: &contents)
        } catch {
            return error.response
        }
    }

    private func respond(from contents: inout FakeContents) throws(JSONAPIFailure) -> FakeResponse {
        guard [.get, .head].contains(request.http.method) else { throw .notAllowed }
        let steps = request.steps
        guard (1...2).contains(steps.count), contents[steps[0]] != nil else {
            throw .notFound("There is nothing at \(request.path).")
        }
        if let other = request.query.first(where: { !isKnown($0.name) }) {
            throw .parameter(other.name, detail: "There is no parameter \(other.name).")
        }
        return steps.count == 1
            ? try list(steps[0], in: &contents)
            : try object(steps[1], of: steps[0], in: contents)
    }

    private func isKnown(_ name: String) -> Bool {
        ["include", "sort", "page[number]", "page[size]"].contains(name)
            || ["fields[", "filter["].contains { name.hasPrefix($0) && name.hasSuffix("]") }
    }

    // MARK: Documents

    private var resources: JSONAPIResources { JSONAPIResources(request, api: api) }

    private func response(_ parts: [(name: String, part: FakeRendering.Part)]) -> FakeResponse {
        FakeResponse(.bytes(FakeRendering.object(parts), type: JSONAPIFailure.type))
    }

    private func object(
        _ key: String,
        of type: String,
        in contents: FakeContents
    ) throws(JSONAPIFailure) -> FakeResponse {
        guard let record = contents[type]?[key], !record.isDeleted else {
            throw .notFound("There is no \(type) \(key).")
        }
        let data = request.served(resources.resource(record, of: type))
        return response([("data", .json(data))] + (try included([record], of: type, in: contents)))
    }

    private func included(
        _ records: [FakeRecord],
        of type: String,
        in contents: FakeContents
    ) throws(JSONAPIFailure) -> [(name: String, part: FakeRendering.Part)] {
        guard let text = request["include"], !text.isEmpty else { return [] }
        var included = try JSONAPIIncluded(
            text,
            from: type,
            relationships: api.relationships,
            besides: records
        )
        let items = included.resources(from: records, of: type, in: contents).map { found in
            resources.rendering(of: found.type).bytes(found.record)
        }
        return [("included", .list(items))]
    }

    private func list(
        _ type: String,
        in contents: inout FakeContents
    ) throws(JSONAPIFailure) -> FakeResponse {
        let members = contents.withCollection(named: type) { $0.memberNames() } ?? []
        let (number, size) = (try number("page[number]", default: 1), try self.size())
        guard number <= Int.max / size else {
            throw .parameter("page[number]", detail: "There are not so many pages.")
        }
        var query = FakeQuery()
        query.order = try order(among: members)
        query.filter = try filter()
        query.limit = size
        query.offset = (number - 1) * size
        guard let found = contents.withCollection(named: type, { $0.select(query) }) else {
            throw .notFound("There are no \(type).")
        }
        let rendering = resources.rendering(of: type)
        let isComplete = resources.areComplete
        let items = contents.withCollection(named: type) { collection in
            isComplete
                ? rendering.bytes(found.indices, of: &collection)
                : rendering.renderedBytes(found.indices, of: collection)
        }
        let records = contents[type].map { all in found.indices.compactMap { all.slots[$0] } }
        let pages = max(1, (found.total + size - 1) / size)
        let meta = api.total.map { name in
            [("meta", FakeRendering.Part.json(.object([.init(name, .number("\(found.total)"))])))]
        }
        return response(
            [("data", .list(items ?? []))] + (try included(records ?? [], of: type, in: contents))
                + [("links", .json(links(from: number, of: pages)))] + (meta ?? [])
        )
    }

    private func links(from number: Int, of pages: Int) -> FakeJSON {
        func link(_ page: Int, if exists: Bool = true) -> FakeJSON {
            let brackets = api.brackets == .plain ? "[]" : ""
            return exists
                ? .string(request.address(["page[number]": "\(page)"], unescaped: brackets)) : .null
        }
        return [
            "first": link(1), "last": link(pages),
            "prev": link(min(number - 1, pages), if: number > 1),
            "next": link(number + 1, if: number < pages),
        ]
    }
}
