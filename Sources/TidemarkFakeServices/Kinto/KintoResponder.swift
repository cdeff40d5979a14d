import HTTPTypes
import TidemarkModel
import TidemarkTesting

/// Creates the responses of a Kinto server.
struct KintoResponder {
    let request: FakeDialect.Request
    let kinto: FakeDialect.Kinto

    func response(from contents: inout FakeContents) -> FakeResponse {
        do {
            return try respond(from: &contents)
        } catch {
            return error.response
        }
    }

    private func respond(from contents: inout FakeContents) throws(KintoFailure) -> FakeResponse {
        let steps = request.steps
        let isRead = [.get, .head].contains(request.http.method)
        if steps.isEmpty, isRead { return hello }
        guard (5...6).contains(steps.count), steps[0] == "buckets", steps[2] == "collections",
            steps[4] == "records"
        else { throw .unknownPath }
        guard steps[1] == kinto.bucket else { throw .forbidden }
        guard let stamp = contents[steps[3]]?.stamp else { throw .noCollection(steps[3]) }
        guard isRead else { throw .notAllowed }
        if steps.count == 6 { return try record(steps[5], of: contents[steps[3]]) }
        try checkPreconditions(stamp)
        let list = try KintoQuery(request, kinto: kinto, now: contents.now)
        return contents.withCollection(named: steps[3]) { self.list(list, of: &$0) } ?? hello
    }

    private var hello: FakeResponse {
        FakeResponse([
            "project_name": "kinto", "http_api_version": "1.23", "url": .string(request.base),
            "settings": ["batch_max_requests": 25, "readonly": .bool(!request.isChangeable)],
        ])
    }

    // MARK: Records

    private func record(
        _ key: String,
        of collection: FakeCollection?
    ) throws(KintoFailure) -> FakeResponse {
        guard let record = collection?[key], !record.isDeleted else { throw .noRecord(key) }
        try checkPreconditions(record.changed, existing: json(record))
        return stamped(response(record), at: record.changed)
    }

    func response(_ record: FakeRecord) -> FakeResponse {
        FakeResponse(["permissions": ["write": ["basicauth:owner"]], "data": json(record)])
    }

    func json(_ record: FakeRecord) -> FakeJSON { request.served(rendering().object(record)) }

    func rendering(_ fields: Set<String>? = nil) -> FakeRendering {
        FakeRendering(request: request) { record in
            let own: [FakeJSON.Member] = [
                .init("id", .string(record.key)),
                .init("last_modified", .number("\(record.changed / 1_000)")),
            ]
            if record.isDeleted { return .object(own + [.init("deleted", true)]) }
            guard case .object(let members) = record.object else { return .object(own) }
            let others = members.filter { member in
                member.name != "id" && member.name != "last_modified"
                    && fields?.contains(member.name) != false
            }
            return .object(others + own)
        }
    }

    /// Returns the response with the header fields for a timestamp, or with status 304 if the
    /// client has that version.
    private func stamped(_ response: FakeResponse, at stamp: Int64) -> FakeResponse {
        var response = response
        for (name, value) in Self.fields(stamp) { response.set(name, to: value) }
        guard !hasStamp(stamp) else {
            response.status = .notModified
            response.body = .empty
            return response
        }
        response.fields[.cacheControl] = "no-cache, no-store"
        return response
    }

    static func fields(_ stamp: Int64) -> KeyValuePairs<String, String> {
        [
            "ETag": "\"\(stamp / 1_000)\"",
            "Last-Modified": DateFormat.rfc1123.string(from: stamp),
        ]
    }

    // MARK: Lists

    private func list(_ list: KintoQuery, of collection: inout FakeCollection) -> FakeResponse {
        if hasStamp(collection.stamp) {
            return stamped(FakeResponse(.empty), at: collection.stamp)
        }
        if request.http.method == .head {
            var query = FakeQuery()
            query.filter = list.filter
            let total = "\(collection.select(query).total)"
            var response = stamped(FakeResponse(["data": []]), at: collection.stamp)
            response.set("Total-Objects", to: total)
            response.set("Total-Records", to: total)
            return response
        }
        let found = collection.select(list.query)
        let rendering = rendering(list.fields)
        let items =
            list.fields == nil
            ? rendering.bytes(found.indices, of: &collection)
            : rendering.renderedBytes(found.indices, of: collection)
        let body = FakeRendering.object([("data", .list(items))])
        var response = stamped(
            FakeResponse(.bytes(body, type: "application/json")),
            at: collection.stamp
        )
        let last = found.indices.last.flatMap { collection.slots[$0] }
        if found.hasMore, let last {
            let token = FakePosition(last, in: list.query.order).text
            response.set(
                "Next-Page",
                to: request.address(["_limit": "\(list.query.limit)", "_token": token])
            )
        }
        return response
    }
}
