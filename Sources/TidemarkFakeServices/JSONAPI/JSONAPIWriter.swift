import HTTPTypes
import TidemarkTesting

/// Performs the changes of clients as JSON:API specifies.
///
/// Source: JSON:API 1.1, “Creating, updating and deleting resources” and “Error objects”.
struct JSONAPIWriter {
    let write: FakeWrite
    let api: FakeDialect.JSONAPI

    private var request: FakeDialect.Request { write.request }

    /// Returns the response to a request; nil if there is nothing at its path.
    func response(changing contents: inout FakeContents) -> FakeResponse? {
        let steps = request.steps
        guard (1...2).contains(steps.count), contents[steps[0]] != nil else { return nil }
        let type = steps[0]
        do throws(JSONAPIFailure) {
            switch (request.http.method, steps.count) {
            case (.post, 1): return try create(type, &contents)
            case (.patch, 2): return try update(steps[1], of: type, &contents)
            case (.delete, 2):
                do throws(FakeWriteFailure) {
                    _ = try contents.delete("\(type)/\(steps[1])", write)
                } catch {
                    throw failure(error, of: type)
                }
                return FakeResponse(.empty, status: .noContent)
            default: return nil
            }
        } catch {
            return error.response
        }
    }

    private func create(
        _ type: String,
        _ contents: inout FakeContents
    ) throws(JSONAPIFailure) -> FakeResponse {
        let data = try data(of: type)
        let key = data["id"]?.string
        guard key == nil || write.rules.keys == .uuids else {
            throw JSONAPIFailure(
                status: .forbidden,
                title: "Client-generated id",
                detail: "The service chooses ids."
            )
        }
        do throws(FakeWriteFailure) {
            let object = object(data, of: type)
            let record = try contents.create(object, in: type, key: key, write)
            var response = response(record, of: type, status: .created)
            response.set("Location", to: "\(request.base)\(type)/\(record.key)")
            return response
        } catch {
            throw failure(error, of: type)
        }
    }

    private func update(
        _ key: String,
        of type: String,
        _ contents: inout FakeContents
    ) throws(JSONAPIFailure) -> FakeResponse {
        let data = try data(of: type)
        guard data["id"]?.string == key else { throw Self.mismatch("id") }
        do throws(FakeWriteFailure) {
            let object = object(data, of: type)
            let path = "\(type)/\(key)"
            return response(
                try contents.update(path, with: object, isWhole: false, write),
                of: type
            )
        } catch {
            throw failure(error, of: type)
        }
    }

    // MARK: Bodies

    private func data(of type: String) throws(JSONAPIFailure) -> FakeJSON {
        guard request.http.headerFields[.contentType] == JSONAPIFailure.type else {
            throw JSONAPIFailure(
                status: .unsupportedMediaType,
                title: "Unsupported media type",
                detail: "The media type is not \(JSONAPIFailure.type)."
            )
        }
        guard let data = write.json?["data"], case .object = data else {
            throw JSONAPIFailure(
                status: .badRequest,
                title: "Invalid document",
                detail: "The document has no resource.",
                pointer: ""
            )
        }
        guard data["type"]?.string == type else { throw Self.mismatch("type") }
        return data
    }

    private static func mismatch(_ name: String) -> JSONAPIFailure {
        JSONAPIFailure(
            status: .conflict,
            title: "Conflict",
            detail: "The \(name) is not that of the path.",
            pointer: "/data/\(name)"
        )
    }

    /// Returns the object that a resource represents: its attributes, and the keys of linked ones.
    private func object(_ data: FakeJSON, of type: String) -> FakeJSON {
        var object: FakeJSON = data["attributes"] ?? [:]
        let names = [api.timestamps.created, api.timestamps.changed, api.timestamps.deleted]
        for name in names.compactMap(\.self) { object[name] = nil }
        guard case .object(let relationships)? = data["relationships"] else { return object }
        for member in relationships {
            guard let linkage = member.value["data"] else { continue }
            object[member.name] =
                linkage.elements.map { .array($0.compactMap(Self.key)) }
                ?? Self.key(linkage) ?? .null
        }
        return object
    }

    private static func key(_ identifier: FakeJSON) -> FakeJSON? {
        identifier["id"]?.string.map { Int($0).map { .number("\($0)") } ?? .string($0) }
    }

    // MARK: Responses

    private func response(
        _ record: FakeRecord,
        of type: String,
        status: HTTPResponse.Status = .ok
    ) -> FakeResponse {
        let resource = JSONAPIResources(request, api: api).resource(record, of: type)
        let json: FakeJSON = ["data": request.served(resource)]
        return FakeResponse(.bytes(json.bytes, type: JSONAPIFailure.type), status: status)
    }

    private func failure(_ failure: FakeWriteFailure, of type: String) -> JSONAPIFailure {
        switch failure {
        case .missing: return .notFound("There is no such resource of \(type).")
        case .invalid(let reasons):
            let (name, reason) = reasons.min { $0.key < $1.key } ?? ("", .missing)
            let isRelationship = api.relationships[type]?[name] != nil
            return JSONAPIFailure(
                status: .unprocessableContent,
                title: "Invalid value",
                detail: reason == .missing ? "must not be empty" : "is already used",
                pointer: "/data/\(isRelationship ? "relationships" : "attributes")/\(name)"
            )
        case .exists, .stale, .malformed:
            return JSONAPIFailure(
                status: .conflict,
                title: "Conflict",
                detail: "The resource exists already."
            )
        }
    }
}
