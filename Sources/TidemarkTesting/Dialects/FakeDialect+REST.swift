import HTTPTypes

extension FakeDialect {
    /// A plain read-only JSON service, as Django REST framework makes them and SWAPI was.
    ///
    /// Lists come in pages, `{"count", "next", "previous", "results"}`; an object stands at its
    /// number; the root names the collections; an address without its last slash is redirected.
    public static func rest(pageSize: Int = 10) -> FakeDialect {
        FakeDialect(
            answer: { request, data in
                RESTAnswer(request: request, pageSize: max(1, pageSize)).of(data)
            },
            loop: { response, request in
                guard case .json(var json) = response.body, json["results"] != nil else { return }
                json["next"] = .string(request.address)
                response.body = .json(json)
            }
        )
    }
}

extension FakeDialect.Request {
    /// The URL that was asked.
    fileprivate var address: String {
        "\(http.scheme ?? "http")://\(http.authority ?? "")\(http.path ?? "/")"
    }
}

private struct RESTAnswer {
    let request: FakeDialect.Request
    let pageSize: Int

    func of(_ data: FakeData) -> FakeResponse {
        let method = request.http.method
        guard method == .get || method == .head else { return notAllowed }
        guard request.path.isEmpty || request.path.hasSuffix("/") else {
            return data.collections.contains {
                request.path.split(separator: "/").first ?? "" == $0.name
            }
                ? slashed : noSuchAddress
        }
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.count {
        case 0: return root(data)
        case 1: return data[objects: parts[0]].map(page) ?? noSuchAddress
        case 2:
            guard data[objects: parts[0]] != nil else { return noSuchAddress }
            return data[parts.joined(separator: "/")].map { FakeResponse($0) } ?? notFound
        default: return noSuchAddress
        }
    }

    private func root(_ data: FakeData) -> FakeResponse {
        FakeResponse(
            FakeJSON.object(
                data.collections.map { .init($0.name, .string("\(request.base)\($0.name)/")) }
            )
        )
    }

    private func page(of objects: [FakeJSON]) -> FakeResponse {
        let pages = max(1, (objects.count + pageSize - 1) / pageSize)
        guard let number = request["page"].map({ Int($0) }) ?? 1, (1...pages).contains(number)
        else {
            return FakeResponse(["detail": "Invalid page."], status: .notFound)
        }
        let first = (number - 1) * pageSize
        return FakeResponse([
            "count": .number("\(objects.count)"),
            "next": number < pages ? link(to: number + 1) : .null,
            "previous": number > 1 ? link(to: number - 1) : .null,
            "results": .array(Array(objects[first..<min(first + pageSize, objects.count)])),
        ])
    }

    private func link(to page: Int) -> FakeJSON {
        let others = request.query.filter { $0.name != "page" }.map { "\($0.name)=\($0.value)" }
        let query = (others + ["page=\(page)"]).joined(separator: "&")
        return .string("\(request.base)\(request.path)?\(query)")
    }

    private var slashed: FakeResponse {
        let path = request.http.path ?? "/"
        let mark = path.firstIndex(of: "?") ?? path.endIndex
        var response = FakeResponse.html("", status: .movedPermanently)
        response.fields[.location] = "\(path[..<mark])/\(path[mark...])"
        return response
    }

    private var notFound: FakeResponse { FakeResponse(["detail": "Not found"], status: .notFound) }

    private var noSuchAddress: FakeResponse {
        .html(
            "<!doctype html><title>Not Found</title><h1>Not Found</h1>",
            status: .notFound
        )
    }

    private var notAllowed: FakeResponse {
        let method = request.http.method.rawValue
        var response = FakeResponse(
            ["detail": .string("Method \"\(method)\" not allowed.")],
            status: .methodNotAllowed
        )
        response.fields[.allow] = "GET, HEAD, OPTIONS"
        return response
    }
}
