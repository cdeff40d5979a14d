import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A shop that writes prices as texts, and accepts nothing else, and whose references are
    /// objects with the key.
    ///
    /// Source: WooCommerce, “REST API Documentation”, “Products”.
    static let wooCommerce = ForeignService(
        name: "WooCommerce",
        dialect: WooCommerceResponder.dialect(),
        collection: "products",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"), "name": .string("issue \(number)"),
                "description": .string("text \(number)"), "regular_price": "12.50",
                "date_on_sale_from": "2026-01-01T00:00:00", "manage_stock": false,
                "dimensions": ["length": "1", "width": "2", "unit": "cm"],
                "categories": [["id": number < 3 ? 1 : 2, "name": "Tools", "slug": "tools"]],
            ]
        },
        entity: "Product",
        model: """
            entities:
              Product:
                attributes:
                  id: integer64
                  title: {type: string, remoteKey: name}
                  text: {type: string, remoteKey: description}
                  regularPrice: decimal
                  dateOnSaleFrom: date
                  length: {type: decimal, remoteKey: dimensions.length}
                relationships:
                  categories: {to: Category, toMany: true, inverse: products, push: thisSide}
              Category:
                attributes: {id: integer64, name: string}
                relationships: {products: {to: Product, toMany: true, inverse: categories}}
            """,
        service: "  auth: {basic: {user: ck_key, password: cs_secret}}",
        resource: """
            {path: wp-json/wc/v3/products, push: {update: PUT, delete: "DELETE {path}/{key}?force=true"}}
            """,
        shown: { object in
            let texts = ["name", "description"].map { object[$0]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "wp-json/wc/v3/products/\($0)" },
        titleBody: #"{"name":"mine"}"#,
        editText: { data, number, text in
            data["products/\(number)"]?["description"] = .string(text)
        },
        invalid: (#"{"title": ""}"#, "name is required.")
    )
}

private struct WooCommerceResponder: ForeignResponder {
    static let collection = "products"
    let request: FakeDialect.Request

    var action: ForeignAction? {
        guard Array(request.steps.prefix(4)) == ["wp-json", "wc", "v3", "products"] else {
            return nil
        }
        let key = request.steps.count == 5 ? request.steps[4] : nil
        switch (request.http.method, key) {
        case (.get, nil): return .list
        case (.get, let key?): return .read(key)
        case (.post, nil): return .create
        case (.put, let key?): return .update(key, isWhole: false)
        case (.delete, let key?) where request["force"] == "true": return .delete(key)
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse {
        var response = FakeResponse(.json(.array(objects)))
        response.set("X-WP-Total", to: "\(objects.count)")
        return response
    }

    func object(_ object: FakeJSON?) -> FakeResponse {
        object.map { FakeResponse($0) }
            ?? failure("woocommerce_rest_product_invalid_id", "Invalid ID.", [:], .notFound)
    }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        guard problems(json).isEmpty, case .object(let sent) = json else { return nil }
        var members: FakeJSON = object ?? [:]
        for member in sent {
            switch member.name {
            // The names of categories are those of the shop.
            case "categories":
                let categories = (member.value.elements ?? []).map { category -> FakeJSON in
                    let key = category["id"]?.description ?? ""
                    return ["id": .number(key), "name": .string("Category \(key)")]
                }
                members["categories"] = .array(categories)
            // The whole object, whatever it was before.
            default: members[member.name] = member.value
            }
        }
        return members
    }

    private func problems(_ json: FakeJSON) -> [(String, String)] {
        var problems: [(String, String)] = []
        if isBlank(json["name"]) { problems.append(("name", "name is required.")) }
        if let price = json["regular_price"], price.string == nil {
            problems.append(("regular_price", "regular_price is not of type string."))
        }
        if let date = json["date_on_sale_from"]?.string, date.count != 19 {
            problems.append(("date_on_sale_from", "Invalid date."))
        }
        let isList = json["categories"]?.elements?.allSatisfy { $0["id"] != nil }
        if json["categories"] != nil, isList != true {
            problems.append(("categories", "categories[0] is not of type object."))
        }
        return problems
    }

    func created(_ object: FakeJSON) -> FakeResponse { FakeResponse(object, status: .created) }
    func deleted(_ object: FakeJSON) -> FakeResponse { FakeResponse(object) }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        let problems = problems(json)
        return failure(
            "rest_invalid_param",
            "Invalid parameter(s): \(problems.map(\.0).joined(separator: ", "))",
            ["params": .object(problems.map { .init($0, .string($1)) })],
            .badRequest
        )
    }

    private func failure(
        _ code: String,
        _ message: String,
        _ data: FakeJSON,
        _ status: HTTPResponse.Status
    ) -> FakeResponse {
        FakeResponse(
            ["code": .string(code), "message": .string(message), "data": data],
            status: status
        )
    }
}
