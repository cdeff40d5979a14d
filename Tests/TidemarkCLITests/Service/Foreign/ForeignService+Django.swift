import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A service whose serializers are hyperlinked: references are URLs, decimals are texts with
    /// two digits, and days have no time.
    ///
    /// Source: Django REST framework, “Serializer relations”, `HyperlinkedRelatedField`, and
    /// “Serializer fields”, `DecimalField` and `DateField`.
    static let django = ForeignService(
        name: "Django REST framework",
        dialect: DjangoResponder.dialect(),
        collection: "articles",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"), "title": .string("issue \(number)"),
                "body": .string("text \(number)"), "price": "12.50", "due": "2026-01-01",
                "author": "http://testserver/api/authors/1/",
            ]
        },
        entity: "Article",
        model: """
            entities:
              Article:
                attributes:
                  id: integer64
                  title: string
                  text: {type: string, remoteKey: body}
                  price: decimal
                  due: date
                relationships: {author: {to: Author, inverse: articles}}
              Author:
                attributes: {id: integer64, name: string}
                relationships: {articles: {to: Article, toMany: true, inverse: author}}
            """,
        service: "",
        resource: """
            {path: articles/, push: preset}
              Author: {path: authors/, deletes: none, push: none}
            """,
        shown: { object in
            let texts = ["title", "body"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "articles/\($0)/" },
        titleBody: #"{"title":"mine"}"#,
        editText: { data, number, text in data["articles/\(number)"]?["body"] = .string(text) },
        invalid: (#"{"title": ""}"#, "title: This field may not be blank.")
    )
}

private struct DjangoResponder: ForeignResponder {
    static let collection = "articles"
    let request: FakeDialect.Request

    private static let authors: [FakeJSON] = [["id": 1, "name": "Ann"], ["id": 2, "name": "Bea"]]

    var action: ForeignAction? {
        let key = request.steps.count == 2 ? request.steps[1] : nil
        guard request.steps.first == "articles" else {
            return request.steps == ["authors"] ? .list : nil
        }
        switch (request.http.method, key) {
        case (.get, nil): return .list
        case (.get, let key?): return .read(key)
        case (.post, nil): return .create
        case (.patch, let key?): return .update(key, isWhole: false)
        case (.delete, let key?): return .delete(key)
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse {
        let objects = request.steps == ["authors"] ? Self.authors : objects
        return FakeResponse([
            "count": .number("\(objects.count)"), "next": nil, "previous": nil,
            "results": .array(objects),
        ])
    }

    func object(_ object: FakeJSON?) -> FakeResponse {
        object.map { FakeResponse($0) }
            ?? FakeResponse(["detail": "Not found."], status: .notFound)
    }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        guard problems(json).isEmpty else { return nil }
        return (object ?? [:]).merging(json)
    }

    private func problems(_ json: FakeJSON) -> [FakeJSON.Member] {
        var problems: [FakeJSON.Member] = []
        func add(_ name: String, _ message: String) {
            problems.append(.init(name, [.string(message)]))
        }
        if isBlank(json["title"]) { add("title", "This field may not be blank.") }
        if let due = json["due"], due != .null, due.string?.count != 10 {
            add("due", "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.")
        }
        if let price = json["price"], price != .null, price.string?.hasSuffix("0") != true {
            add("price", "A valid number is required.")
        }
        if let author = json["author"], author != .null {
            // The slash at the end is a part of the route.
            let isMatch = author.string.map { $0.contains("/authors/") && $0.hasSuffix("/") }
            if isMatch != true { add("author", "Invalid hyperlink - No URL match.") }
        }
        return problems
    }

    func created(_ object: FakeJSON) -> FakeResponse { FakeResponse(object, status: .created) }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        FakeResponse(.object(problems(json)), status: .badRequest)
    }
}
