import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// An issue tracker whose objects are members of the body, and whose responses to changes are
    /// empty.
    ///
    /// Source: Redmine, “REST API” and “REST Issues”; `IssuesController#update` for a stale
    /// version, which is the status 422 without a message.
    static let redmine = ForeignService(
        name: "Redmine",
        dialect: FakeDialect(
            keys: ["id"],
            change: { RedmineResponder(request: $0.request).response(to: $0, changing: &$1) },
            respond: { RedmineResponder(request: $0).response(from: $1) }
        ),
        collection: "issues",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"),
                "project": ["id": number < 3 ? 1 : 2, "name": number < 3 ? "Garden" : "House"],
                "status": ["id": 5, "name": "Closed"], "subject": .string("issue \(number)"),
                "description": .string("text \(number)"), "lock_version": 0,
            ]
        },
        entity: "Issue",
        model: """
            entities:
              Issue:
                attributes:
                  id: integer64
                  title: {type: string, remoteKey: subject}
                  text: {type: string, remoteKey: description}
                  lockVersion: integer64
                relationships: {project: {to: Project, inverse: issues}}
              Project:
                attributes: {id: integer64, name: string}
                relationships: {issues: {to: Issue, toMany: true, inverse: project}}
            """,
        service: "  headers: {X-Redmine-API-Key: secret}",
        resource: """
            {path: "issues.json?status_id=*", envelope: issues, pagination: offset,
                total: total_count, push: {create: "POST issues.json",
                update: "PUT issues/{key}.json", delete: "DELETE issues/{key}.json", body: issue,
                references: ids, readEnvelope: issue, responseEnvelope: issue, version: "body:lock_version",
                stale: "409, 422:empty"}}
            """,
        shown: { object in
            let texts = ["subject", "description"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "issues/\($0).json" },
        titleBody: #"{"issue":{"subject":"mine","lock_version":0}}"#,
        editText: { data, number, text in
            data["issues/\(number)"]?["description"] = .string(text)
            data["issues/\(number)"]?["lock_version"] = 1
        },
        invalid: (#"{"title": ""}"#, "Subject cannot be blank")
    )
}

private struct RedmineResponder {
    let request: FakeDialect.Request

    private static let unauthorized = FakeResponse(.empty, status: .unauthorized)

    private var isAuthorized: Bool { request.field("X-Redmine-API-Key") == "secret" }

    /// The number of the issue at the path; nil for the list.
    private var number: String? {
        request.steps.count == 2 ? request.steps[1].droppingSuffix(".json") : nil
    }

    func response(from contents: FakeContents) -> FakeResponse {
        guard isAuthorized else { return Self.unauthorized }
        if let number {
            guard let record = contents.record(at: "issues/\(number)") else {
                return FakeResponse(.empty, status: .notFound)
            }
            // Rails adds a weak tag to each response, which no If-Match can contain.
            var response = FakeResponse(["issue": record.object])
            response.set("ETag", to: "W/\"\(number)\"")
            return response
        }
        guard request.steps == ["issues.json"] else {
            return FakeResponse(.empty, status: .notFound)
        }
        // Without the parameter, closed issues are not listed.
        let all = request["status_id"] == "*" ? contents["issues"]?.records.map(\.object) ?? [] : []
        let (offset, limit) = (request.number("offset") ?? 0, request.number("limit") ?? 2)
        return FakeResponse([
            "issues": .array(Array(all.dropFirst(offset).prefix(limit))),
            "total_count": .number("\(all.count)"), "offset": .number("\(offset)"),
            "limit": .number("\(limit)"),
        ])
    }

    func response(to write: FakeWrite, changing contents: inout FakeContents) -> FakeResponse? {
        guard isAuthorized else { return Self.unauthorized }
        guard request.field("If-Match") == nil else {
            return FakeResponse(.empty, status: .preconditionFailed)
        }
        do throws(FakeWriteFailure) {
            switch (request.http.method, number) {
            case (.post, nil) where request.steps == ["issues.json"]:
                var issue = try issue(in: write, knowing: ["project": ["id": 1, "name": "Garden"]])
                issue["lock_version"] = 0
                let record = try contents.create(issue, in: "issues", write)
                var response = FakeResponse(["issue": record.object], status: .created)
                response.set("Location", to: "\(request.base)issues/\(record.key)")
                return response
            case (.put, let number?):
                guard let record = contents.record(at: "issues/\(number)") else { throw .missing }
                var issue = try issue(in: write, knowing: record.object)
                let version = record.object["lock_version"] ?? 0
                guard (issue["lock_version"] ?? version) == version else {
                    return FakeResponse(["errors": []], status: .unprocessableContent)
                }
                issue["lock_version"] = version == 0 ? 1 : 2
                _ = try contents.update("issues/\(number)", with: issue, isWhole: false, write)
                return FakeResponse(.empty, status: .noContent)
            case (.delete, let number?):
                _ = try contents.delete("issues/\(number)", write)
                return FakeResponse(.empty, status: .noContent)
            default: return nil
            }
        } catch {
            guard case .invalid = error else { return FakeResponse(.empty, status: .notFound) }
            return FakeResponse(
                ["errors": ["Subject cannot be blank"]],
                status: .unprocessableContent
            )
        }
    }

    /// Returns what a request says about the issue: other members than these are ignored.
    private func issue(
        in write: FakeWrite,
        knowing issue: FakeJSON
    ) throws(FakeWriteFailure) -> FakeJSON {
        let sent = write.json?["issue"] ?? [:]
        var members: FakeJSON = [:]
        for name in ["subject", "description", "lock_version"] where sent[name] != nil {
            members[name] = sent[name]
        }
        if let project = sent["project_id"] {
            members["project"] = ["id": project, "name": .string("Project \(project)")]
        }
        let subject = issue.merging(members)["subject"]
        guard let subject, subject != .null, subject != "" else {
            throw .invalid(["subject": .missing])
        }
        if members["project"] == nil { members["project"] = issue["project"] }
        return members
    }
}

extension String {
    fileprivate func droppingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}
