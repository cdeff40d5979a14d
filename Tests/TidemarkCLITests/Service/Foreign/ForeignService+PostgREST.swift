import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A database whose objects are selected by a query, and returned in a list of one.
    ///
    /// Source: PostgREST, “Tables and Views”, “Horizontal Filtering” and “Update”; “Prefer Header”,
    /// “Return Representation”.
    static let postgREST = ForeignService(
        name: "PostgREST",
        dialect: PostgRESTResponder.dialect(),
        collection: "todos",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"), "title": .string("issue \(number)"),
                "note": .string("text \(number)"),
            ]
        },
        entity: "Todo",
        model: """
            entities:
              Todo:
                attributes: {id: integer64, title: string, text: {type: string, remoteKey: note}}
            """,
        service: "  headers: {Prefer: return=representation}",
        resource: """
            {path: todos, push: {update: "PATCH {path}?id=eq.{key}", delete: "DELETE {path}?id=eq.{key}"}}
            """,
        shown: { object in
            let texts = ["title", "note"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "todos?id=eq.\($0)" },
        titleBody: #"{"title":"mine"}"#,
        editText: { data, number, text in data["todos/\(number)"]?["note"] = .string(text) },
        invalid: (#"{"title": ""}"#, "new row violates check constraint")
    )
}

private struct PostgRESTResponder: ForeignResponder {
    static let collection = "todos"
    let request: FakeDialect.Request

    /// The key in the condition of the query; nil without one.
    private var key: String? {
        request["id"].flatMap { $0.hasPrefix("eq.") ? String($0.dropFirst(3)) : nil }
    }

    var action: ForeignAction? {
        guard request.steps == ["todos"] else { return nil }
        switch (request.http.method, key) {
        case (.get, nil): return .list
        case (.get, let key?): return .read(key)
        case (.post, nil): return .create
        case (.patch, let key?): return .update(key, isWhole: false)
        case (.delete, let key?): return .delete(key)
        // Without a condition, all rows would be changed.
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse { FakeResponse(.json(.array(objects))) }

    /// A query that selects nothing succeeds.
    func object(_ object: FakeJSON?) -> FakeResponse { list(object.map { [$0] } ?? []) }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        guard !isBlank(json["title"]) else { return nil }
        return (object ?? [:]).merging(json)
    }

    func created(_ object: FakeJSON) -> FakeResponse {
        var response = FakeResponse(.json([object]), status: .created)
        response.set("Location", to: "/todos?id=eq.\(object["id"]?.description ?? "")")
        return response
    }

    func updated(_ object: FakeJSON) -> FakeResponse { list([object]) }
    func deleted(_ object: FakeJSON) -> FakeResponse { list([object]) }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        FakeResponse(
            ["code": "23514", "message": "new row violates check constraint", "details": nil],
            status: .badRequest
        )
    }
}
