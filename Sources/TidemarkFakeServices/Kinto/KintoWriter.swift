import HTTPTypes
import TidemarkTesting

/// Performs the changes of clients as a Kinto server does.
///
/// Source: Kinto HTTP API 1.x, “Records” and “Batch operations”, and the responses of Kinto 26.
struct KintoWriter {
    let write: FakeWrite
    let kinto: FakeDialect.Kinto

    /// The most requests in a batch.
    private static let batchLimit = 25

    private var request: FakeDialect.Request { write.request }
    private var responder: KintoResponder { KintoResponder(request: request, kinto: kinto) }

    /// Returns the response to a request; nil if there is nothing at its path.
    func response(changing contents: inout FakeContents) -> FakeResponse? {
        let steps = request.steps
        do throws(KintoFailure) {
            if steps == ["batch"], request.http.method == .post { return try batch(&contents) }
            guard (5...6).contains(steps.count), steps[0] == "buckets", steps[2] == "collections",
                steps[4] == "records"
            else { return nil }
            guard steps[1] == kinto.bucket else { throw .forbidden }
            guard contents[steps[3]] != nil else { throw .noCollection(steps[3]) }
            return steps.count == 5
                ? try changeList(steps[3], &contents)
                : try change(steps[5], in: steps[3], &contents)
        } catch {
            return error.response
        }
    }

    private func changeList(
        _ name: String,
        _ contents: inout FakeContents
    ) throws(KintoFailure) -> FakeResponse? {
        guard request.http.method == .post else { return nil }
        let data = try data()
        let key = data["id"]?.string
        if let key, let record = contents.record(at: "\(name)/\(key)") {
            // A record that exists is returned, and not changed.
            return stamped(record, status: .ok)
        }
        return try stamped(create(data, key: key, in: name, &contents), status: .created)
    }

    private func change(
        _ key: String,
        in name: String,
        _ contents: inout FakeContents
    ) throws(KintoFailure) -> FakeResponse? {
        let path = "\(name)/\(key)"
        let record = contents.record(at: path)
        let method = request.http.method
        guard [.put, .patch, .delete].contains(method) else { return nil }
        if let record {
            if request.field("If-None-Match") == "*" { throw modified(record) }
            try responder.checkPreconditions(record.changed, existing: responder.json(record))
        } else if method != .put {
            throw .noRecord(key)
        }
        guard let record else {
            return try stamped(create(data(), key: key, in: name, &contents), status: .created)
        }
        do throws(FakeWriteFailure) {
            guard method != .delete else {
                _ = try contents.delete(path, write)
                return contents[name]?[key].map { stamped($0, status: .ok) }
            }
            let isWhole = method == .put
            let changed = try contents.update(path, with: members(), isWhole: isWhole, write)
            return stamped(changed, status: .ok)
        } catch {
            throw failure(error, of: record)
        }
    }

    private func create(
        _ data: FakeJSON,
        key: String?,
        in name: String,
        _ contents: inout FakeContents
    ) throws(KintoFailure) -> FakeRecord {
        do throws(FakeWriteFailure) {
            return try contents.create(Self.own(data), in: name, key: key, write)
        } catch {
            throw failure(error, of: nil)
        }
    }

    // MARK: Bodies

    private func data() throws(KintoFailure) -> FakeJSON {
        guard let data = write.json?["data"], case .object = data else {
            throw .invalid("data is missing", name: "data", in: "body")
        }
        return data
    }

    private func members() throws(FakeWriteFailure) -> FakeJSON {
        guard let data = write.json?["data"] else { throw .malformed }
        return Self.own(data)
    }

    /// Returns the members that a client sets: the server manages the time of the change.
    private static func own(_ data: FakeJSON) -> FakeJSON {
        var data = data
        data["last_modified"] = nil
        return data
    }

    // MARK: Responses

    private func stamped(_ record: FakeRecord, status: HTTPResponse.Status) -> FakeResponse {
        var response = responder.response(record)
        response.status = status
        for (name, value) in KintoResponder.fields(record.changed) { response.set(name, to: value) }
        return response
    }

    private func modified(_ record: FakeRecord) -> KintoFailure {
        .modifiedMeanwhile(
            responder.json(record),
            fields: KintoResponder.fields(record.changed)
        )
    }

    private func failure(_ failure: FakeWriteFailure, of record: FakeRecord?) -> KintoFailure {
        switch failure {
        case .invalid(let reasons):
            let (name, reason) = reasons.min { $0.key < $1.key } ?? ("", .missing)
            let text = reason == .missing ? "is a required property" : "has already been used"
            return .invalid("'\(name)' \(text)", name: name, in: "body")
        case .malformed: return .invalid("data is missing", name: "data", in: "body")
        case .missing, .exists, .stale:
            return record.map(modified) ?? .unknownPath
        }
    }

    // MARK: Batches

    /// Performs the requests of a batch in order.
    private func batch(_ contents: inout FakeContents) throws(KintoFailure) -> FakeResponse {
        guard let requests = write.json?["requests"]?.elements else {
            throw .invalid("Required", name: "requests", in: "body")
        }
        let limit = write.rules.batchLimit ?? Self.batchLimit
        guard requests.count <= limit else {
            throw .invalid(
                "Number of requests is limited to \(limit)",
                name: "requests",
                in: "body"
            )
        }
        let defaults = write.json?["defaults"] ?? [:]
        var responses: [FakeJSON] = []
        for request in requests {
            responses.append(respond(to: defaults.merging(request), &contents))
        }
        return FakeResponse(["responses": .array(responses)])
    }

    private func respond(to json: FakeJSON, _ contents: inout FakeContents) -> FakeJSON {
        var fields = HTTPFields()
        if case .object(let members)? = json["headers"] {
            for member in members {
                if let name = HTTPField.Name(member.name) { fields[name] = member.value.string }
            }
        }
        let path = json["path"]?.string ?? ""
        let member = request.member(
            HTTPRequest.Method(json["method"]?.string ?? "") ?? .get,
            // Kinto accepts paths with and without its version.
            path: path.hasPrefix("/buckets") ? request.mount + path.dropFirst() : path,
            fields: fields,
            body: json["body"]?.bytes
        )
        let write = FakeWrite(request: member, rules: write.rules)
        let response =
            KintoWriter(write: write, kinto: kinto).response(changing: &contents)
            ?? KintoResponder(request: member, kinto: kinto).response(from: &contents)
        return [
            "status": .number("\(response.status.code)"), "path": .string(path),
            "headers": .object(
                response.fields.map { field in
                    FakeJSON.Member(field.name.canonicalName, .string(field.value))
                }
            ),
            "body": FakeJSON(ifValid: response.bytes) ?? .null,
        ]
    }
}
