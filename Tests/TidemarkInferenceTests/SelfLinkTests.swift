import Testing
import TidemarkInference
import TidemarkModel

/// Links of objects to themselves as their keys.
struct SelfLinkTests {
    @Test(arguments: [
        (#""_links": {"self": {"href": "http://h/api/orders/#"}}"#, "_links.self.href"),
        (#""_links": {"self": {"href": "/api/orders/#"}}"#, "_links.self.href"),
        (
            #""_links": {"self": {"href": "http://h/api/orders/#", "templated": true}}"#,
            "_links.self.href"
        ),
        (#""_links": {"self": "http://h/api/orders/#"}"#, "_links.self"),
        (#""links": {"self": "http://h/api/orders/#"}"#, "links.self"),
        (#""links": {"self": {"href": "http://h/api/orders/#"}}"#, "links.self.href"),
        (#""meta": {"href": "http://h/api/orders/#"}"#, "meta.href"),
        (#""self": {"href": "http://h/api/orders/#"}"#, "self.href"),
        (#""self": "http://h/api/orders/#""#, "self"),
        (#""selfLink": "http://h/api/orders/#""#, "selfLink"),
        (#""href": "http://h/api/orders/#""#, "href"),
    ])
    func `a self link is the key of objects that have no id`(link: String, path: String) throws {
        func text(_ last: (Int) -> String) throws -> String {
            let items = (1...3).map { number in
                #"{"name": "n\#(number)", \#(link.replacing("#", with: last(number)))}"#
            }
            return try infer(["orders.json": "[\(items.joined(separator: ","))]"]).text
        }
        let numbered = try text { "\($0)" }
        #expect(numbered.hasPrefix("Order[id]: id integer64 ← \(path)"), "\(numbered)")
        #expect(numbered.contains("name string"))
        let named = try text { "x\($0)" }
        #expect(named.hasPrefix("Order["), "\(named)")
        #expect(!named.contains("Order[name]") && !named.contains("Order[]"), "\(named)")
        #expect(named.contains(path), "\(named)")
    }

    @Test(arguments: [
        // An id outranks the link.
        (
            #"{"id": 1, "_links": {"self": {"href": "/orders/1"}}}"#,
            #"{"id": 2, "_links": {"self": {"href": "/orders/1"}}}"#, "id"
        ),
        // The link of the list, and links that some objects lack.
        (
            #"{"slug": "a", "_links": {"self": {"href": "/orders"}}}"#,
            #"{"slug": "b", "_links": {"self": {"href": "/orders"}}}"#, "slug"
        ),
        (
            #"{"slug": "a", "_links": {"self": {"href": "/orders/1"}}}"#,
            #"{"slug": "b", "_links": {}}"#, "slug"
        ),
        (
            #"{"slug": "a", "_links": {"self": null}}"#,
            #"{"slug": "b", "_links": {"self": {"href": 2}}}"#, "slug"
        ),
        // Only the query distinguishes the objects.
        (
            #"{"slug": "a", "_links": {"self": {"href": "http://h/order?n=a"}}}"#,
            #"{"slug": "b", "_links": {"self": {"href": "http://h/order?n=b"}}}"#, "selfHref"
        ),
        (
            #"{"slug": "a", "_links": {"self": {"href": "/orders/7/a"}}}"#,
            #"{"slug": "b", "_links": {"self": {"href": "/orders/8/a"}}}"#, "selfHref"
        ),
        // Leading zeros are part of the identity.
        (
            #"{"slug": "a", "_links": {"self": {"href": "/orders/07"}}}"#,
            #"{"slug": "b", "_links": {"self": {"href": "/orders/7"}}}"#, "selfHref"
        ),
    ])
    func `a self link is the key only if it distinguishes the objects`(
        first: String,
        second: String,
        key: String
    ) throws {
        for order in [[first, second], [second, first]] {
            let inferred = try infer(["orders.json": "[\(order.joined(separator: ","))]"])
            #expect(inferred.model.primaryKey(of: inferred.model.entities[0]) == [key])
        }
    }

    @Test func `other links of HAL are values, also a second self link`() throws {
        try expect(
            [
                "orders.json": """
                [{"name": "a", "_links": {"self": {"href": "http://h/orders/1"},
                   "order": {"href": "http://h/orders/1"}, "owner": {"href": "http://h/owners/2"}}},
                 {"name": "a", "_links": {"self": {"href": "http://h/orders/2"},
                   "order": {"href": "http://h/orders/2"}, "owner": {"href": "http://h/owners/1"}}}]
                """,
                "owners.json": """
                [{"name": "x", "_links": {"self": {"href": "http://h/owners/1"}}},
                 {"name": "x", "_links": {"self": {"href": "http://h/owners/2"}}}]
                """,
            ],
            give: """
                Order[id]: id integer64 ← _links.self.href, name string, \
                orderHref uri ← _links.order.href, ownerHref uri ← _links.owner.href
                Owner[id]: id integer64 ← _links.self.href, name string
                """
        )
    }

    @Test func `the key may be in a member that is JSON because it has lists of links`() throws {
        try expect(
            [
                "orders.json": """
                [{"name": "a", "_links": {"self": {"href": "/orders/1"}, "items": [{"href": "/i/1"}]}},
                 {"name": "a", "_links": {"self": {"href": "/orders/2"}, "items": []}}]
                """
            ],
            give: """
                Order[id]: id integer64 ← _links.self.href, name string, links json ← _links
                """
        )
    }

    @Test func `nested objects without an id share a row by their self link`() throws {
        let inferred = try infer([
            "orders.json": """
            [{"id": 1, "buyer": {"name": "Ann", "_links": {"self": {"href": "/buyers/7"}}}},
             {"id": 2, "buyer": {"name": "Ann", "_links": {"self": {"href": "/buyers/7"}}}}]
            """
        ])
        #expect(inferred.model["Buyer"].map(inferred.model.primaryKey) == ["id"])
    }

    @Test func `only keys that are neither ids nor self links are guesses`() throws {
        func guesses(_ item: String) throws -> Set<String> {
            try infer(["orders.json": "[\(item)]"]).guessedKeys
        }
        #expect(try guesses(#"{"name": "a"}"#) == ["Order"])
        #expect(try guesses(#"{"slug": "a"}"#) == ["Order"])
        #expect(try guesses(#"{"url": "http://h/orders/1"}"#) == ["Order"])
        #expect(try guesses(#"{"id": "a"}"#) == [])
        #expect(try guesses(#"{"_links": {"self": {"href": "/orders/1"}}}"#) == ["Order"])
        #expect(try guesses(#"{"_links": {"self": {"href": "/orders/a"}}}"#) == [])
        #expect(try guesses(#"{"size": 1}"#) == [])
    }
}
