import HTTPTypes
import TidemarkModel
import TidemarkTesting

/// Performs the changes of clients as a scaffold of Rails does.
///
/// Sources: Rails 8.0, “Action Controller Overview” (`params.expect`), “Active Record Validations”,
/// and `ActiveRecord::Locking::Optimistic`.
struct RailsWriter {
    let write: FakeWrite
    let rails: FakeDialect.Rails

    private var responder: RailsResponder { RailsResponder(request: write.request, rails: rails) }

    /// Returns the response to a request; nil if there is no route for it.
    func response(changing contents: inout FakeContents) -> FakeResponse? {
        let steps = write.request.steps.map {
            $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0
        }
        let path = steps.joined(separator: "/")
        let isList = !steps.count.isMultiple(of: 2)
        let name = isList ? path : steps.dropLast().joined(separator: "/")
        guard contents[name] != nil else { return nil }
        do throws(FakeWriteFailure) {
            switch write.request.http.method {
            case .post where isList:
                var object = try body(in: name)
                if rails.hasLockVersion { object["lock_version"] = 0 }
                let record = try contents.create(object, in: name, write)
                var response = response(record, status: .created)
                response.set("Location", to: "\(write.request.base)\(name)/\(record.key)")
                return response
            case .patch where !isList, .put where !isList:
                let changes = try locked(body(in: name), at: path, in: contents)
                return response(try contents.update(path, with: changes, isWhole: false, write))
            case .delete where !isList:
                _ = try contents.delete(path, write)
                return FakeResponse(.empty, status: .noContent)
            default: return nil
            }
        } catch {
            return response(error)
        }
    }

    /// Returns the members below the name of the object, without those that clients do not set.
    private func body(in name: String) throws(FakeWriteFailure) -> FakeJSON {
        let collection = name.split(separator: "/").last.map(String.init) ?? name
        let root = NamingConvention.default.inflection.singular(collection)
        guard let members = write.json?[root], case .object = members else { throw .malformed }
        let names = [rails.timestamps.created, rails.timestamps.changed, rails.timestamps.deleted]
        return names.compactMap(\.self).reduce(into: members) { $0[$1] = nil }
    }

    /// Checks the version in a body, and returns the body with the next one.
    private func locked(
        _ changes: FakeJSON,
        at path: String,
        in contents: FakeContents
    ) throws(FakeWriteFailure) -> FakeJSON {
        guard let object = contents.record(at: path)?.object,
            case .number(let text)? = object["lock_version"], let version = Int(text)
        else { return changes }
        if let known = changes["lock_version"], known != .number("\(version)") {
            throw .stale(object)
        }
        var changes = changes
        changes["lock_version"] = nil
        guard object.merging(changes) != object else { return changes }
        changes["lock_version"] = .number("\(version + 1)")
        return changes
    }

    private func response(_ record: FakeRecord, status: HTTPResponse.Status = .ok) -> FakeResponse {
        FakeResponse(
            .bytes(responder.rendering.bytes(record), type: "application/json"),
            status: status
        )
    }

    private func response(_ failure: FakeWriteFailure) -> FakeResponse {
        switch failure {
        case .missing: responder.failure(.notFound, message: "Not Found")
        case .malformed: responder.failure(.badRequest, message: "Bad Request")
        case .stale(let object): FakeResponse(write.request.served(object), status: .conflict)
        case .exists: responder.failure(.conflict, message: "Conflict")
        case .invalid(let reasons):
            FakeResponse(
                .object(
                    reasons.sorted { $0.key < $1.key }.map { member, reason in
                        let text = reason == .missing ? "can't be blank" : "has already been taken"
                        return FakeJSON.Member(member, [.string(text)])
                    }
                ),
                status: .unprocessableContent
            )
        }
    }
}
