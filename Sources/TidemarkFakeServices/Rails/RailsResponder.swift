import HTTPTypes
import TidemarkModel
import TidemarkTesting

/// Creates the responses of a service built with Rails.
struct RailsResponder {
    let request: FakeDialect.Request
    let rails: FakeDialect.Rails

    func response(from contents: inout FakeContents) -> FakeResponse {
        let method = request.http.method
        let steps = request.steps.map { $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0 }
        guard method == .get || method == .head, let key = steps.last else { return noRoute }
        guard steps.count.isMultiple(of: 2) else {
            return contents.withCollection(at: steps, list) ?? noRoute
        }
        return contents.withCollection(at: steps.dropLast()) { object(key, of: $0) } ?? noRoute
    }

    // MARK: Objects

    private func object(_ key: String, of collection: FakeCollection) -> FakeResponse {
        guard let record = collection[key], !record.isDeleted else {
            return failure(.notFound, message: "Not Found")
        }
        let response = FakeResponse(.bytes(rendering.bytes(record), type: "application/json"))
        return fresh(response, changed: record.changed)
    }

    var rendering: FakeRendering {
        FakeRendering(request: request) { record in
            rails.timestamps.object(record, formatting: rails.timestamps.printed.text)
        }
    }

    /// Returns the response, or status 304 if the client has this version.
    ///
    /// If the request contains both validators, both must match, as in Rails.
    private func fresh(_ response: FakeResponse, changed: Int64?) -> FakeResponse {
        var whole = response
        guard let changed else { return whole.validated(.weak, for: request) }
        whole.fields[.lastModified] = DateFormat.rfc1123.string(from: changed)
        let validated = whole.validated(.weak, for: request)
        let hasTag = request.http.headerFields[.ifNoneMatch] != nil
        let hasTime = request.http.headerFields[.ifModifiedSince] != nil
        guard hasTime else { return validated }
        let isSame = !request.isModified(since: changed)
        if hasTag, isSame { return validated }
        if isSame {
            whole.status = .notModified
            whole.body = .empty
            return whole
        }
        whole.fields[.eTag] = validated.fields[.eTag]
        return whole
    }

    // MARK: Lists

    private func list(_ collection: inout FakeCollection) -> FakeResponse {
        var query = FakeQuery()
        if let text = request[rails.since] {
            guard let moment = FakePrecision.moment(text) else {
                return failure(.badRequest, message: "Bad Request")
            }
            query.filter = .compare(.changed, .greaterOrEqual, .moment(moment))
            query.includesDeleted = rails.timestamps.deleted != nil
        }
        let size = max(1, min(positive("per_page") ?? rails.perPage, rails.maxPerPage))
        let number = min(positive("page") ?? 1, Int.max / size)
        query.limit = size
        query.offset = (number - 1) * size
        let found = collection.select(query)
        var response = FakeResponse(
            .bytes(
                FakeRendering.array(rendering.bytes(found.indices, of: &collection)),
                type: "application/json"
            )
        )
        response.set("Link", to: links(from: number, of: (found.total + size - 1) / size))
        if let total = rails.total { response.set(total, to: "\(found.total)") }
        let changed = rails.lastModified == .objects ? nil : newest(found, in: collection)
        return fresh(response, changed: changed)
    }

    /// Returns the time of the last change among the objects of a page, which Rails uses as the
    /// `Last-Modified` of a list.
    private func newest(_ found: FakeSelection, in collection: FakeCollection) -> Int64? {
        found.indices.compactMap { collection.slots[$0]?.changed }.max()
    }

    private func positive(_ name: String) -> Int? {
        request.number(name).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the links to other pages; nil if there are no other pages.
    private func links(from number: Int, of pages: Int) -> String? {
        var links: [(relation: String, page: Int)] = []
        if number > 1 { links.append(("prev", min(number - 1, max(1, pages)))) }
        if number < pages { links.append(("next", number + 1)) }
        if number != pages, pages > 1 { links.append(("last", pages)) }
        if number > 1 { links.append(("first", 1)) }
        guard !links.isEmpty else { return nil }
        return links.map { "<\(address($0.page))>; rel=\"\($0.relation)\"" }
            .joined(separator: ", ")
    }

    private func address(_ page: Int) -> String {
        let whole = request.address(["page": "\(page)"], order: .byName)
        switch rails.links {
        case .absolute: return whole
        case .relative:
            let origin = "\(request.http.scheme ?? "http")://\(request.http.authority ?? "")"
            return String(whole.dropFirst(origin.count))
        }
    }

    // MARK: Failures

    func failure(_ status: HTTPResponse.Status, message: String) -> FakeResponse {
        FakeResponse(
            ["status": .number("\(status.code)"), "error": .string(message)],
            status: status
        )
    }

    private var noRoute: FakeResponse {
        .html(
            "<!DOCTYPE html><title>The page you were looking for doesn't exist (404)</title>",
            status: .notFound
        )
    }
}
