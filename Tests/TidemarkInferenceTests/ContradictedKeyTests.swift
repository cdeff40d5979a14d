import Testing
import TidemarkInference
import TidemarkModel
import TidemarkTestSupport

/// Members called `id` that do not identify the objects that have them.
struct ContradictedKeyTests {
    @Test(arguments: [
        (
            #"[{"id": 0, "comments": [{"id": 0, "body": "A"}]}, {"id": 1, "comments": [{"id": 0, "body": "B"}]}]"#,
            """
            Post[id]: id integer64; comments →→ Comment ⇄ post cascade
            Comment[post,id]: id integer64, body string; post → Post ⇄ comments
            """
        ),
        (
            #"[{"id": 1, "measures": [{"id": 1, "value": 1}]}, {"id": 2, "measures": [{"id": 1, "value": 2}]}]"#,
            """
            Post[id]: id integer64; measures →→ Measure ⇄ post cascade
            Measure[post,id]: id integer64, value integer64; post → Post ⇄ measures
            """
        ),
        (
            #"[{"id": 1, "size": {"id": 1, "unit": "m"}}, {"id": 2, "size": {"id": 1, "unit": "km"}}]"#,
            "Post[id]: id integer64, sizeID integer64 ← size.id, sizeUnit string ← size.unit"
        ),
        (
            #"[{"id": 1, "lines": [{"id": 7, "of": {"n": 1}}, {"id": 7, "of": {"n": 2}}]}]"#,
            """
            Post[id]: id integer64; lines →→ Line ⇄ post cascade
            Line[]: idValue integer64 ← id, ofN integer64 ← of.n; post → Post ⇄ lines
            """
        ),
        (
            #"[{"id": 1, "marks": [{"id": 7, "n": null}]}, {"id": 2, "marks": [{"id": 7, "n": 1}]}]"#,
            """
            Post[id]: id integer64; marks →→ Mark ⇄ post cascade
            Mark[post,id]: id integer64, n integer64; post → Post ⇄ marks
            """
        ),
    ])
    func `an id with contradicting nested objects is at most a key within their parent`(
        json: String,
        model: String
    ) throws {
        try expect(["posts.json": json], give: model)
    }

    @Test func `an id stays the key if its objects differ in lists or absent members`() throws {
        try expect(
            [
                "posts.json": """
                [{"id": 1, "tags": [{"id": 7, "name": "x"}]},
                 {"id": 2, "tags": [{"name": "x", "id": 7, "color": "red", "users": [1]}]},
                 {"id": 3, "tags": [{"id": 7, "name": "x", "color": "red", "users": []}]}]
                """
            ],
            give: """
                Post[id]: id integer64; tags →→ Tag ⇄ posts
                Tag[id]: id integer64, name string, color string, users json; posts →→ Post ⇄ tags
                """
        )
    }

    @Test func `the id of a top-level list stays the key despite contradictions`() throws {
        try expect(
            ["posts.json": #"[{"id": 1, "n": "a"}, {"id": 1, "n": "b"}]"#],
            give: "Post[id]: id integer64, n string"
        )
    }

    @Test(arguments: UInt64(1)...8)
    func `one contradiction among many objects is enough, in any order`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var posts = (1...600).map { #"{"id": \#($0), "tags": [{"id": \#($0 % 500), "n": 1}]}"# }
        posts.append(#"{"id": 601, "tags": [{"id": 250, "n": 2}]}"#)
        let text = posts.shuffled(using: &chance).joined(separator: ",")
        let inferred = try infer(["posts.json": "[\(text)]"])
        #expect(inferred.model["Tag"].map(inferred.model.primaryKey) == ["post", "id"])
    }

    @Test func `the id stays the key beyond the limit of values, in any order`() throws {
        var limits = InferenceLimits()
        limits.keys = 10
        let posts = (1...40).map { #"{"id": \#($0), "tags": [{"id": \#($0 % 20), "n": \#($0)}]}"# }
        for order in [posts, posts.reversed()] {
            let inferred = try infer(
                ["posts.json": "[\(order.joined(separator: ","))]"],
                limits: limits
            )
            #expect(inferred.model["Tag"].map(inferred.model.primaryKey) == ["id"])
        }
    }

    @Test func `lists of links are a JSON value, and not entities`() throws {
        let tasks = (1...3).map {
            """
            {"id": \($0), "_links": {"self": [{"href": "http://h/tasks/\($0)"}],
             "replies": [{"href": "http://h/replies?task=\($0)", "embeddable": true}]}}
            """
        }
        try expect(
            ["tasks.json": "[\(tasks.joined(separator: ","))]"],
            give: "Task[id]: id integer64, links json ← _links"
        )
    }

    @Test func `the inverse of a list of objects is to-many even if none is shared`() throws {
        try expect(
            ["tasks.json": #"[{"id": 1, "replaces": []}, {"id": 2, "replaces": [{"id": 1}]}]"#],
            give: """
                Task[id]: id integer64; replaces →→ Replace ⇄ tasks
                Replace[id]: id integer64; tasks →→ Task ⇄ replaces
                """
        )
    }
}
