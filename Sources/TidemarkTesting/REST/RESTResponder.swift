import HTTPTypes

/// Creates the responses of a service built with Django REST framework.
struct RESTResponder {
    let request: FakeDialect.Request
    let rest: FakeDialect.REST

    func response(from contents: inout FakeContents) -> FakeResponse {
        let method = request.http.method
        guard method == .get || method == .head else { return notAllowed }
        let steps = request.steps
        guard request.path.isEmpty || request.path.hasSuffix("/") else {
            return withoutSlash(in: contents)
        }
        guard let key = steps.last else { return root(contents) }
        guard steps.count.isMultiple(of: 2) else {
            return contents.withCollection(at: steps, list) ?? unknownPath
        }
        return contents.withCollection(at: steps.dropLast()) { object(key, of: $0) } ?? unknownPath
    }

    /// The response to a request whose path has no slash at its end.
    func withoutSlash(in contents: FakeContents) -> FakeResponse {
        request.steps.first.flatMap { contents[$0] } == nil ? unknownPath : slashed
    }

    private func root(_ contents: FakeContents) -> FakeResponse {
        FakeResponse(
            FakeJSON.object(
                contents.collections.filter { !$0.name.contains("/") }.map {
                    .init($0.name, .string("\(request.base)\($0.name)/"))
                }
            )
        )
    }

    private func object(_ key: String, of collection: FakeCollection) -> FakeResponse {
        guard let record = collection[key], !record.isDeleted else { return notFound("Not found") }
        return FakeResponse(.bytes(rendering.bytes(record), type: "application/json"))
    }

    private func list(_ collection: inout FakeCollection) -> FakeResponse {
        var query = FakeQuery()
        query.order = order
        if let failure = filter(&query) { return failure }
        return switch rest.pagination {
        case .pages: page(query, of: &collection)
        case .offsets: window(query, of: &collection)
        case .cursor(let order): portion(query, by: order, of: &collection)
        }
    }

    // MARK: Objects

    private var rendering: FakeRendering {
        let fields = request[rest.fields].map { Set($0.split(separator: ",").map(String.init)) }
        return FakeRendering(request: request) { record in
            let object = rest.timestamps.object(record, formatting: text)
            return fields.map(object.only) ?? object
        }
    }

    /// Formats a time as Python does: with a fraction only if it is not zero.
    private func text(_ moment: Int64) -> String {
        let printed = rest.timestamps.printed
        let isWhole = printed == .microseconds && moment % FakePrecision.seconds.rawValue == 0
        return (isWhole ? .seconds : printed).text(moment)
    }

    private func bytes(_ found: FakeSelection, of collection: inout FakeCollection) -> [[UInt8]] {
        request[rest.fields] == nil
            ? rendering.bytes(found.indices, of: &collection)
            : rendering.renderedBytes(found.indices, of: collection)
    }

    func response(
        _ found: FakeSelection,
        of collection: inout FakeCollection,
        counted: Bool,
        next: String?,
        previous: String?
    ) -> FakeResponse {
        let count = FakeJSON.number("\(found.total)")
        let body = FakeRendering.object(
            (counted ? [("count", .json(count))] : []) + [
                ("next", .json(next.map { .string($0) } ?? .null)),
                ("previous", .json(previous.map { .string($0) } ?? .null)),
                ("results", .list(bytes(found, of: &collection))),
            ]
        )
        return FakeResponse(.bytes(body, type: "application/json"))
    }

    // MARK: Parameters

    /// The requested order.
    ///
    /// Fields that no object has make no difference.
    private var order: [FakeQuery.Order] {
        FakeQuery.names(request[rest.ordering] ?? "").map(order)
    }

    func order(_ name: String, isDescending: Bool) -> FakeQuery.Order {
        FakeQuery.Order(field: rest.timestamps.field(name), isDescending: isDescending)
    }

    private func filter(_ query: inout FakeQuery) -> FakeResponse? {
        guard rest.timestamps.changed != nil else { return nil }
        for (name, comparison) in rest.since.sorted(by: { $0.key < $1.key }) {
            guard let text = request[name] else { continue }
            guard let moment = FakePrecision.moment(text) else {
                return FakeResponse(
                    .object([.init(name, ["Enter a valid date/time."])]),
                    status: .badRequest
                )
            }
            query.filter = query.filter && .compare(.changed, comparison, .moment(moment))
            query.includesDeleted = rest.timestamps.deleted != nil
        }
        return nil
    }

    // MARK: Failures

    private var slashed: FakeResponse {
        let path = request.http.path ?? "/"
        let mark = path.firstIndex(of: "?") ?? path.endIndex
        var response = FakeResponse.html("", status: .movedPermanently)
        response.fields[.location] = "\(path[..<mark])/\(path[mark...])"
        return response
    }

    func notFound(_ detail: String) -> FakeResponse {
        FakeResponse(["detail": .string(detail)], status: .notFound)
    }

    var unknownPath: FakeResponse {
        .html("<!doctype html><title>Not Found</title><h1>Not Found</h1>", status: .notFound)
    }

    private var notAllowed: FakeResponse {
        let method = request.http.method.rawValue
        var response = FakeResponse(
            ["detail": .string("Method \"\(method)\" not allowed.")],
            status: .methodNotAllowed
        )
        response.fields[.allow] = "GET, HEAD, OPTIONS"
        return response
    }
}
