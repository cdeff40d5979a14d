import HTTPTypes
import TidemarkModel

/// What a Kinto server answers to a request.
struct KintoAnswer {
    let request: FakeDialect.Request
    let kinto: FakeDialect.Kinto

    func of(_ contents: inout FakeContents) -> FakeResponse {
        do {
            return try answer(&contents)
        } catch {
            return error.response
        }
    }

    private func answer(_ contents: inout FakeContents) throws(KintoFailure) -> FakeResponse {
        let steps = request.steps
        let isRead = [.get, .head].contains(request.http.method)
        if steps.isEmpty, isRead { return hello }
        let prefix = ["buckets", kinto.bucket, "collections"]
        guard steps.count >= 5, Array(steps[..<3]) == prefix, steps[4] == "records",
            steps.count <= 6, let stamp = contents[steps[3]]?.stamp
        else { throw .noSuchAddress }
        guard isRead else { throw .notAllowed }
        if steps.count == 6 { return try record(steps[5], of: contents[steps[3]]) }
        try checkPreconditions(stamp)
        let list = try KintoQuery(request, kinto)
        return contents.ask(steps[3]) { self.list(list, &$0) } ?? hello
    }

    private var hello: FakeResponse {
        FakeResponse([
            "project_name": "kinto", "http_api_version": "1.23", "url": .string(request.base),
            "settings": ["batch_max_requests": 25, "readonly": true],
        ])
    }

    // MARK: Records

    private func record(
        _ key: String,
        of collection: FakeCollection?
    ) throws(KintoFailure) -> FakeResponse {
        guard let record = collection?[key], !record.isGone else { throw .noRecord(key) }
        try checkPreconditions(record.changed)
        let json = rendering(nil).object(record)
        return stamped(FakeResponse(["data": request.served(json)]), record.changed)
    }

    private func rendering(_ fields: Set<String>?) -> FakeRendering {
        FakeRendering(request: request) { record in
            let own: [FakeJSON.Member] = [
                .init("id", .string(record.key)),
                .init("last_modified", .number("\(record.changed / 1_000)")),
            ]
            if record.isGone { return .object(own + [.init("deleted", true)]) }
            guard case .object(let members) = record.object else { return .object(own) }
            let others = members.filter { member in
                member.name != "id" && member.name != "last_modified"
                    && fields?.contains(member.name) != false
            }
            return .object(others + own)
        }
    }

    /// The answer with the headers that tell a stamp.
    private func stamped(_ response: FakeResponse, _ stamp: Int64) -> FakeResponse {
        var response = response
        response.fields[.eTag] = "\"\(stamp / 1_000)\""
        response.fields[.lastModified] = DateFormat.rfc1123.string(from: stamp)
        response.fields[.cacheControl] = "no-cache, no-store"
        guard hasStamp(stamp) else { return response }
        response.status = .notModified
        response.body = .nothing
        return response
    }

    // MARK: Lists

    private func list(_ list: KintoQuery, _ collection: inout FakeCollection) -> FakeResponse {
        if hasStamp(collection.stamp) {
            return stamped(FakeResponse(.nothing), collection.stamp)
        }
        if request.http.method == .head {
            var query = FakeQuery()
            query.filter = list.filter
            let total = "\(collection.select(query).total)"
            var response = stamped(FakeResponse(["data": []]), collection.stamp)
            response.set("Total-Objects", total)
            response.set("Total-Records", total)
            return response
        }
        let found = collection.select(list.query)
        let rendering = rendering(list.fields)
        let items =
            list.fields == nil
            ? rendering.bytes(found.places, of: &collection)
            : rendering.freshBytes(found.places, of: collection)
        let body = FakeRendering.object([("data", .list(items))])
        var response = stamped(
            FakeResponse(.bytes(body, type: "application/json")),
            collection.stamp
        )
        let last = found.places.last.flatMap { collection.slots[$0] }
        if found.hasMore, let last {
            let token = FakePosition(last, in: list.query.order).text
            response.set(
                "Next-Page",
                request.address(["_limit": "\(list.query.limit)", "_token": token])
            )
        }
        return response
    }

    // MARK: Preconditions

    /// Whether the client says that it knows a stamp, or a later one.
    private func hasStamp(_ stamp: Int64) -> Bool {
        guard let text = request.http.headerFields[.ifNoneMatch], text != "*",
            let known = Self.stamp(text)
        else { return false }
        return stamp / 1_000 <= known
    }

    private func checkPreconditions(_ stamp: Int64) throws(KintoFailure) {
        if let text = request.http.headerFields[.ifNoneMatch], text != "*",
            Self.stamp(text) == nil
        {
            throw .invalid(nil, "Invalid value for If-None-Match", in: "header")
        }
        guard let text = request.http.headerFields[.ifMatch], !hasStamp(stamp) else { return }
        guard let known = Self.stamp(text) else {
            throw .invalid(
                nil,
                "Invalid value for If-Match. The value should be integer between double quotes.",
                in: "header"
            )
        }
        if stamp / 1_000 > known { throw .modifiedMeanwhile }
    }

    private static func stamp(_ text: String) -> Int64? {
        guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        return Int64(text.dropFirst().dropLast())
    }
}
