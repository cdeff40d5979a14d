import TidemarkTesting

/// Services whose lists continue and end in ways that no convention defines.
extension FakeDialect {
    /// Pages are numbered from 0, without a link or a number.
    static func zeroBased(pageSize: Int) -> FakeDialect {
        rest(pageSize: pageSize).rewriting { request in
            request.query = request.query.map { name, value in
                (name, name == "page" ? Int(value).map { "\($0 + 1)" } ?? value : value)
            }
        } response: { list, _ in
            list = ["results": list["results"] ?? [], "count": list["count"] ?? .null]
        }
    }

    /// The link to the next page has a name of the service's own, and the objects are not counted.
    static func suspected(pageSize: Int) -> FakeDialect {
        rest(pageSize: pageSize).rewriting { _ in
        } response: { list, _ in
            list = ["results": list["results"] ?? [], "next_results_url": list["next"] ?? .null]
        }
    }

    /// A flag says which page is the last, which links to a next one as all others do.
    static func flagged(pageSize: Int) -> FakeDialect {
        rest(pageSize: pageSize).rewriting { _ in
        } response: { list, address in
            let next = list["next"] ?? .null
            list["has_more"] = .bool(next != .null)
            if next == .null { list["next"] = .string("\(address)?page=999") }
        }
    }

    private func rewriting(
        _ request: @escaping @Sendable (inout Request) -> Void,
        response: @escaping @Sendable (inout FakeJSON, String) -> Void
    ) -> FakeDialect {
        var dialect = self
        dialect.respond = { [respond] original, contents in
            var changed = original
            request(&changed)
            var answer = respond(changed, &contents)
            let address = String(original.address.prefix { $0 != "?" })
            answer.edit { list in
                if list["results"] != nil { response(&list, address) }
            }
            return answer
        }
        return dialect
    }
}
