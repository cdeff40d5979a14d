import Testing
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkTestSupport

/// Detection of the lists in a document, and the names of their entities.
struct SampleListTests {
    private static let feature = ["Feature at features"]

    @Test(arguments: [
        ("[{}]", ["Thing"]),
        ("{}", ["Thing"]),
        (#"{"results": [{}], "next": null}"#, ["Thing at results"]),
        (#"{"data": [{}], "included": [{}]}"#, ["Thing at data"]),
        (#"{"data": {"id": 1}}"#, ["Thing at data"]),
        (#"{"data": {"items": [{}], "page": 1}}"#, ["Thing at data.items"]),
        (#"{"_embedded": {"orders": [{}]}, "_links": {}}"#, ["Order at _embedded.orders"]),
        (#"{"count": 1, "films": [{}]}"#, ["Film at films"]),
        (#"{"users": [{}], "tags": [{}], "next": null}"#, ["Tag at tags", "User at users"]),
        (#"{"id": 1, "films": [{}]}"#, ["Thing"]),
        (#"{"url": "http://a/1", "films": ["http://a/2"]}"#, ["Thing"]),
        (#"{"a.b": [{}]}"#, ["Thing"]),
        (#"{"features": [{"id": 1}], "links": [{"href": "/a", "rel": "next"}]}"#, feature),
        (#"{"features": [], "links": [{"href": "/a", "rel": "self"}]}"#, feature),
        (#"{"features": [{"id": 1}], "_links": [{"href": "/a"}]}"#, feature),
        (#"{"features": [{"id": 1}], "link": []}"#, feature),
        (
            #"""
            {"type": "FeatureCollection", "timeStamp": "t", "conformsTo": ["http://a"],
             "features": [{"id": 1}], "links": [{"href": "/a", "rel": "next"}], "context": {}}
            """#, feature
        ),
        (#"{"pages": [{"url": "/a", "relation": "next"}], "features": [{"id": 1}]}"#, feature),
        (
            #"{"link": [{"relation": "next", "url": "a"}], "entry": [{"id": 1}]}"#,
            ["Entry at entry"]
        ),
        (#"{"links": [{"rel": "x", "href": "/a"}], "item": [{"id": 1}]}"#, ["Item at item"]),
        (
            #"{"links": [{"rel": "x", "href": "/a"}], "users": [{}], "tags": [{}]}"#,
            ["Tag at tags", "User at users"]
        ),
        (#"{"title": "t", "links": [{"id": 1, "href": "/a"}]}"#, ["Link at links"]),
        (
            #"{"relations": [{"rel": "x"}], "users": [{}]}"#,
            ["Relation at relations", "User at users"]
        ),
        (#"{"data": {"links": [{"rel": "x", "href": "/"}], "as": [{}]}}"#, ["A at data.as"]),
    ])
    func `finds the lists in a document`(json: String, expected: [String]) throws {
        var inference = ModelInference()
        let found = try inference.add(JSONDocument(json), from: "things.json")
        #expect(found.map { $0.entity + ($0.keyPath.map { " at \($0)" } ?? "") } == expected)
    }

    @Test(arguments: [
        ("films.json", "Film"),
        ("/some/where/sales_people.page2.json", "SalesPerson"),
        ("order-items.json", "OrderItem"),
        ("2024-01-statuses.json", "Status"),
        ("417.json", "Item"),
        ("", "Item"),
        ("sqlite_things.json", "SqliteThing"),
        ("https://swapi.dev/api/people/?page=2&token=x", "Person"),
        ("https://swapi.dev/api/people/1/", "Person"),
        ("https://api.example.com/v2/users.json", "User"),
        ("https://example.com/", "Item"),
        ("https://example.com/api/v1", "Item"),
    ])
    func `the entity is named after the file or the URL`(source: String, name: String) throws {
        var inference = ModelInference()
        #expect(try inference.add(JSONDocument("[{}]"), from: source)[0].entity == name)
    }

    @Test func `an explicit name takes precedence`() throws {
        var inference = ModelInference()
        let json = try JSONDocument(#"{"films": [{"id": 1}]}"#)
        #expect(try inference.add(json, from: "films.json", entity: "Movie")[0].entity == "Movie")
    }

    @Test func `pages of one list are one entity`() throws {
        try expect(
            [
                "films.page1.json": #"{"results": [{"id": 1, "a": 1}]}"#,
                "films.page2.json": #"{"results": [{"id": 2, "a": 1.5, "b": true}]}"#,
            ],
            give: "Film[id]: id integer64, a double, b boolean"
        )
    }

    @Test func `reads items from a stream`() throws {
        var inference = ModelInference()
        var items = JSONItemReader(Array(#"[{"id": 1}, {"id": 2, "a": "x"}]"#.utf8), chunkSize: 3)
        #expect(try inference.add(&items, from: "things.json").count == 2)
        #expect(try inference.result().text == "Thing[id]: id integer64, a string")
    }
}
