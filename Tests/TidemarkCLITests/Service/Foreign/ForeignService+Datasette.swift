import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A table whose rows are created and changed by requests with bodies of their own.
    ///
    /// Source: Datasette, “JSON write API”.
    static let datasette = ForeignService(
        name: "Datasette",
        dialect: DatasetteResponder.dialect(),
        collection: "posts",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"), "title": .string("issue \(number)"),
                "body": .string("text \(number)"), "is_public": 1,
            ]
        },
        entity: "Entry",
        model: """
            entities:
              Entry:
                attributes:
                  id: integer64
                  title: string
                  text: {type: string, remoteKey: body}
                  isPublic: boolean
            """,
        service: "  auth: {bearer: dstok-secret}",
        resource: """
            {path: db/posts.json, envelope: rows, push: {
                create: {request: POST db/posts/-/insert, body: row, members: {return: true}},
                update: {request: "POST db/posts/{key}/-/update", body: update, members: {return: true}},
                delete: "POST db/posts/{key}/-/delete", read: "GET db/posts/{key}.json",
                readEnvelope: rows, responseEnvelope: rows}}
            """,
        shown: { object in
            let texts = ["title", "body"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "db/posts/\($0).json" },
        titleBody: #"{"update":{"title":"mine"},"return":true}"#,
        editText: { data, number, text in data["posts/\(number)"]?["body"] = .string(text) },
        invalid: (#"{"title": ""}"#, "CHECK constraint failed: title")
    )
}

private struct DatasetteResponder: ForeignResponder {
    static let collection = "posts"
    let request: FakeDialect.Request

    var action: ForeignAction? {
        let steps = request.steps
        switch (request.http.method, steps.count) {
        case (.get, 2) where steps[1] == "posts.json": return .list
        case (.get, 3) where steps[2].hasSuffix(".json"): return .read(String(steps[2].dropLast(5)))
        case (.post, 4) where steps.suffix(2) == ["-", "insert"]: return .create
        case (.post, 5) where steps.suffix(2) == ["-", "update"]:
            return .update(steps[2], isWhole: false)
        case (.post, 5) where steps.suffix(2) == ["-", "delete"]: return .delete(steps[2])
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse {
        FakeResponse(["ok": true, "next": nil, "rows": .array(objects), "truncated": false])
    }

    func object(_ object: FakeJSON?) -> FakeResponse {
        guard let object else { return failure("Record not found", .notFound) }
        return list([object])
    }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        guard json["return"] == .bool(true),
            let row = json[object == nil ? "row" : "update"], !isBlank(row["title"])
        else { return nil }
        return (object ?? ["is_public": 0]).merging(row)
    }

    func created(_ object: FakeJSON) -> FakeResponse {
        FakeResponse(["ok": true, "rows": [object]], status: .created)
    }

    func updated(_ object: FakeJSON) -> FakeResponse { FakeResponse(["ok": true, "row": object]) }
    func deleted(_ object: FakeJSON) -> FakeResponse { FakeResponse(["ok": true]) }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        failure("CHECK constraint failed: title", .badRequest)
    }

    private func failure(_ message: String, _ status: HTTPResponse.Status) -> FakeResponse {
        FakeResponse(["ok": false, "errors": [.string(message)]], status: status)
    }
}
