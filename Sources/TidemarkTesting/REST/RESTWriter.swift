import HTTPTypes

/// Performs the changes of clients as Django REST framework does.
///
/// Source: Django REST framework 3.15, “Generic views” and “Validators”.
struct RESTWriter {
    let write: FakeWrite
    let rest: FakeDialect.REST

    private var request: FakeDialect.Request { write.request }

    /// Returns the response to a request; nil if the path accepts no such method.
    func response(changing contents: inout FakeContents) -> FakeResponse? {
        let steps = request.steps
        let path = steps.joined(separator: "/")
        let responder = RESTResponder(request: request, rest: rest)
        guard !steps.isEmpty else { return nil }
        // Django redirects requests of any method, and a client loses the body of a POST.
        guard request.path.hasSuffix("/") else { return responder.withoutSlash(in: contents) }
        let isList = !steps.count.isMultiple(of: 2)
        let name = isList ? path : steps.dropLast().joined(separator: "/")
        guard contents[name] != nil else { return responder.unknownPath }
        do throws(FakeWriteFailure) {
            switch request.http.method {
            case .post where isList:
                let record = try contents.create(body(), in: name, write)
                return response(record, status: .created)
            case .put where !isList:
                return response(try contents.update(path, with: body(), isWhole: true, write))
            case .patch where !isList:
                return response(try contents.update(path, with: body(), isWhole: false, write))
            case .delete where !isList:
                _ = try contents.delete(path, write)
                return FakeResponse(.empty, status: .noContent)
            default: return nil
            }
        } catch {
            return response(error, in: name)
        }
    }

    private func body() throws(FakeWriteFailure) -> FakeJSON {
        guard let json = write.json, case .object = json else { throw .malformed }
        // Timestamps are read-only.
        let names = [rest.timestamps.created, rest.timestamps.changed, rest.timestamps.deleted]
        return json.without(names.compactMap(\.self))
    }

    private func response(_ record: FakeRecord, status: HTTPResponse.Status = .ok) -> FakeResponse {
        let rendering = FakeRendering(request: request) { record in
            rest.timestamps.object(record) { rest.timestamps.printed.text($0) }
        }
        return FakeResponse(
            .bytes(rendering.bytes(record), type: "application/json"),
            status: status
        )
    }

    private func response(_ failure: FakeWriteFailure, in name: String) -> FakeResponse {
        switch failure {
        case .missing: FakeResponse(["detail": "Not found."], status: .notFound)
        case .malformed:
            FakeResponse(
                ["non_field_errors": ["Invalid data. Expected a dictionary."]],
                status: .badRequest
            )
        case .invalid(let reasons):
            FakeResponse(
                .object(
                    reasons.sorted { $0.key < $1.key }.map { member, reason in
                        FakeJSON.Member(member, [.string(text(reason, of: member, in: name))])
                    }
                ),
                status: .badRequest
            )
        case .exists, .stale:
            FakeResponse(["detail": "Conflict."], status: .conflict)
        }
    }

    private func text(
        _ reason: FakeWriteFailure.Reason,
        of member: String,
        in name: String
    ) -> String {
        switch reason {
        case .missing: "This field may not be blank."
        case .taken: "\(name) with this \(member) already exists."
        }
    }
}
