import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// An issue tracker that changes an object only if the request contains its version, as the
    /// response to a request for the object has shown it, and if it names the tracker as its
    /// origin.
    ///
    /// Source: Roundup, “REST API for Roundup”.
    static let roundup = ForeignService(
        name: "Roundup",
        dialect: FakeDialect(
            keys: ["id"],
            change: { RoundupResponder(request: $0.request).response(to: $0, changing: &$1) },
            respond: { RoundupResponder(request: $0).response(from: $1) }
        ),
        collection: "issue",
        objects: (1...3).map { number in
            [
                "id": .string("\(number)"), "title": .string("issue \(number)"),
                "keyword": .string("text \(number)"),
            ]
        },
        entity: "Bug",
        model: """
            entities:
              Bug:
                attributes:
                  id: string
                  title: string
                  text: {type: string, remoteKey: keyword}
            """,
        service: """
              headers: {Origin: "\(RoundupResponder.origin)", X-Requested-With: rest}
            """,
        resource: """
            {path: "issue?@fields=title,keyword", envelope: data.collection,
                pagination: "next:data.@links.next", total: data.@total_size,
                push: {version: header, readEnvelope: data.attributes, responseEnvelope: data}}
            """,
        shown: { object in
            let texts = ["title", "keyword"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "issue/\($0)" },
        titleBody: #"{"title":"mine"}"#,
        editText: { data, number, text in data["issue/\(number)"]?["keyword"] = .string(text) },
        invalid: (#"{"title": ""}"#, "Required issue property title not supplied")
    )
}

private struct RoundupResponder {
    /// The origin of the tracker's own URL.
    static let origin = "https://bugs.example.com"

    let request: FakeDialect.Request

    private func failure(_ status: HTTPResponse.Status, _ message: String) -> FakeResponse {
        FakeResponse(
            ["error": ["status": .number("\(status.code)"), "msg": .string(message)]],
            status: status
        )
    }

    private func link(_ key: String) -> FakeJSON { .string("\(request.base)issue/\(key)") }

    func response(from contents: FakeContents) -> FakeResponse {
        switch request.steps.count {
        case 1 where request.steps == ["issue"]:
            let names = Set((request["@fields"] ?? "").split(separator: ",").map(String.init))
            let records = contents["issue"]?.records ?? []
            return FakeResponse([
                "data": [
                    "collection": .array(
                        records.map { record in
                            FakeJSON.object([
                                .init("id", .string(record.key)), .init("link", link(record.key)),
                            ])
                            .merging(record.object.only(names))
                        }
                    ),
                    "@total_size": .number("\(records.count)"),
                ]
            ])
        case 2:
            guard let record = contents.record(at: request.steps.joined(separator: "/")) else {
                return failure(.notFound, "There is no such issue.")
            }
            var response = FakeResponse([
                "data": [
                    "id": .string(record.key), "type": "issue", "link": link(record.key),
                    "attributes": record.object.without(["id"]), "@etag": .string(tag(of: record)),
                ]
            ])
            response.set("ETag", to: tag(of: record))
            return response
        default: return failure(.notFound, "There is no such class.")
        }
    }

    private func tag(of record: FakeRecord) -> String {
        "\"\(record.object.description.utf8.reduce(7) { $0 &* 31 &+ Int($1) })\""
    }

    func response(to write: FakeWrite, changing contents: inout FakeContents) -> FakeResponse? {
        guard request.field("X-Requested-With") != nil, request.field("Origin") == Self.origin
        else {
            return failure(.badRequest, "Required Header Missing")
        }
        let path = request.steps.joined(separator: "/")
        do throws(FakeWriteFailure) {
            if request.http.method == .post, path == "issue" {
                let record = try contents.create(checked(write.json), in: path, write)
                return FakeResponse(
                    ["data": ["id": .string(record.key), "link": link(record.key)]],
                    status: .created
                )
            }
            guard let record = contents.record(at: path) else { throw .missing }
            guard let known = request.field("If-Match") else {
                return failure(.preconditionRequired, "If-Match is missing.")
            }
            guard known == tag(of: record) else {
                return failure(.preconditionFailed, "If-Match does not match.")
            }
            switch request.http.method {
            case .patch:
                let record = try contents.update(
                    path,
                    with: checked(record.object.merging(write.json ?? [:])),
                    isWhole: true,
                    write
                )
                return FakeResponse([
                    "data": [
                        "attribute": write.json ?? [:], "type": "issue", "id": .string(record.key),
                        "link": link(record.key),
                    ]
                ])
            case .delete:
                _ = try contents.delete(path, write)
                return FakeResponse(["data": ["status": "ok"]])
            default: return nil
            }
        } catch {
            guard case .invalid = error else {
                return failure(.notFound, "There is no such issue.")
            }
            return failure(.badRequest, "Required issue property title not supplied")
        }
    }

    private func checked(_ json: FakeJSON?) throws(FakeWriteFailure) -> FakeJSON {
        guard let json, let title = json["title"]?.string, !title.isEmpty else {
            throw .invalid(["title": .missing])
        }
        return json
    }
}
