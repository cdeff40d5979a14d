import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A database whose documents are within the rows of a view, and are replaced whole under their
    /// revision.
    ///
    /// Source: Apache CouchDB, “API Reference”, `/{db}/_all_docs` and `/{db}/{docid}`.
    static let couchDB = ForeignService(
        name: "CouchDB",
        dialect: CouchDBResponder.dialect(keys: ["_id"]),
        collection: "notes",
        objects: (1...3).map { number in
            [
                "_id": .string("\(number)"), "_rev": "1-a", "title": .string("issue \(number)"),
                "body": .string("text \(number)"), "tags": ["x"],
            ]
        },
        entity: "Doc",
        model: """
            entities:
              Doc:
                attributes:
                  id: {type: string, remoteKey: _id}
                  title: string
                  text: {type: string, remoteKey: body}
            """,
        service: "",
        resource: """
            {path: "notes/_all_docs?include_docs=true", envelope: rows, item: doc, push: {
                create: POST notes, update: "PUT notes/{key} whole", delete: "DELETE notes/{key}",
                read: "GET notes/{key}"}}
            """,
        shown: { object in
            let texts = ["title", "body"].map { object[$0]?.string ?? "–" }
            let key = object["_id"].map { $0.string ?? $0.description }
            return "\(key ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "notes/\($0)" },
        titleBody: #"{"_id":"1","_rev":"1-a","body":"text 1","tags":["x"],"title":"mine"}"#,
        editText: { data, number, text in
            data["notes/\(number)"]?["body"] = .string(text)
            data["notes/\(number)"]?["_rev"] = "2-b"
        },
        invalid: (#"{"title": ""}"#, "title must not be empty")
    )
}

private struct CouchDBResponder: ForeignResponder {
    static let collection = "notes"
    let request: FakeDialect.Request

    var action: ForeignAction? {
        guard request.steps.first == "notes" else { return nil }
        let key = request.steps.count == 2 ? request.steps[1] : nil
        switch (request.http.method, key) {
        case (.get, "_all_docs"): return request["include_docs"] == "true" ? .list : nil
        case (.get, let key?): return .read(key)
        case (.post, nil): return .create
        case (.put, let key?): return .update(key, isWhole: true)
        case (.delete, let key?): return .delete(key)
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse {
        let rows = objects.map { object -> FakeJSON in
            let key = object["_id"] ?? .null
            return [
                "id": key, "key": key, "value": ["rev": object["_rev"] ?? .null], "doc": object,
            ]
        }
        return FakeResponse([
            "total_rows": .number("\(rows.count)"), "offset": 0, "rows": .array(rows),
        ])
    }

    func object(_ object: FakeJSON?) -> FakeResponse {
        guard let object else {
            return FakeResponse(["error": "not_found", "reason": "missing"], status: .notFound)
        }
        var response = FakeResponse(object)
        response.set("ETag", to: "\"\(object["_rev"]?.string ?? "")\"")
        return response
    }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        guard !isBlank(json["title"]), json["doc"] == nil else { return nil }
        // The document is replaced under the revision that it has.
        guard object == nil || json["_rev"] == object?["_rev"] else { return nil }
        let number = Int(object?["_rev"]?.string?.prefix { $0 != "-" } ?? "0") ?? 0
        var members = json
        members["_rev"] = .string("\(number + 1)-x")
        return members
    }

    func created(_ object: FakeJSON) -> FakeResponse { done(object, .created) }
    func updated(_ object: FakeJSON) -> FakeResponse { done(object, .created) }
    func deleted(_ object: FakeJSON) -> FakeResponse { done(object, .ok) }

    private func done(_ object: FakeJSON, _ status: HTTPResponse.Status) -> FakeResponse {
        FakeResponse(
            ["ok": true, "id": object["_id"] ?? .null, "rev": object["_rev"] ?? .null],
            status: status
        )
    }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        guard isBlank(json["title"]) else {
            return FakeResponse(
                ["error": "conflict", "reason": "Document update conflict."],
                status: .conflict
            )
        }
        return FakeResponse(
            ["error": "forbidden", "reason": "title must not be empty"],
            status: .forbidden
        )
    }
}
