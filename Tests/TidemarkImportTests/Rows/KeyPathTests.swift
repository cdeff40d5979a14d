import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Key paths of attributes and relationships, through objects and arrays.
struct KeyPathTests {
    private func products() throws -> Store {
        try .of(
            .named(
                "Product",
                [
                    Attribute("imageURL", .string, remoteKey: "data.image.url"),
                    Attribute("imageTitle", .string, remoteKey: "data.image.title"),
                ],
                Relationship("maker", to: "Maker", remoteKey: "data.maker"),
                Relationship("parts", to: "Maker", isToMany: true, remoteKey: "data.parts")
            ),
            .named("Maker")
        )
    }

    @Test(
        arguments: [
            (#""data": null"#, "-     -      -      []"),
            (#""data": {"image": null}"#, "-     -      1      [2]"),
            (#""data": {"image": {"url": null}}"#, "-     t      1      [2]"),
            (#""data": {"image": {"title": "n"}}"#, "u     n      1      [2]"),
            (#""data": {"image": {}}"#, "u     t      1      [2]"),
            (#""data": {"maker": null}"#, "u     t      -      [2]"),
            (#""data": {"parts": null}"#, "u     t      1      []"),
            (#""data": {}"#, "u     t      1      [2]"),
            (#""name": null"#, "u     t      1      [2]"),
            (#""data": 7"#, "u     t      1      [2]"),
            (#""data": null, "imageURL": "w""#, "w     -      -      []"),
            (#""imageURL": "w", "data": null"#, "w     -      -      []"),
            (#""data": null, "data": {"image": {"title": "n"}}"#, "u     n      1      [2]"),
        ] as [(String, String)]
    )
    func `null at a step of a key path clears the values below it, a missing step does not`(
        _ member: String,
        _ cells: String
    ) throws {
        let store = try products()
        try store.load(
            "Product",
            """
            [{"id": 1, "data": {"image": {"url": "u", "title": "t"},
              "maker": {"id": 1}, "parts": [{"id": 2}]}}]
            """
        )
        try store.load("Product", #"[{"id": 1, \#(member)}]"#)
        let row = try table(of: store, "Product").split(separator: "\n").last.map(String.init)
        let columns = row?.split(separator: " ").dropFirst(3).joined(separator: " ")
        #expect(columns == cells.split(separator: " ").joined(separator: " "))
    }

    @Test(arguments: ["[]", "[null]", "null", "[null, 2]"])
    func `a missing array element at an index of a key path removes the link`(
        _ value: String
    ) throws {
        let store = try Store.of(
            .named(
                "Book",
                [],
                Relationship("author", to: "Person", remoteKey: "author.0"),
                Relationship("editor", to: "Person", remoteKey: "editors.0"),
                Relationship("critic", to: "Person", remoteKey: "critics.0.person")
            ),
            .named("Person")
        )
        try store.load("Person", #"[{"id": 1}, {"id": 2}]"#)
        try store.load(
            "Book",
            #"[{"id": 1, "author": [1, 2], "editors": [2, 1], "critics": [{"person": 1}]}]"#
        )
        func links() throws -> [[Int64]] {
            let record = try store.read { db in
                try db.record(RecordLocator("Book:1"))
            }
            return ["author", "editor", "critic"].map { record.links[$0]?.map(\.number) ?? [] }
        }
        #expect(try links() == [[1], [2], [1]])
        let report = try store.report(
            "Book",
            #"[{"id": 1, "author": \#(value), "editors": \#(value), "critics": \#(value)}]"#
        )
        #expect(try links() == [[], [], []])
        #expect(report.diagnostics.isEmpty)
    }

    @Test func `a key path may begin with the attribute's own name`() throws {
        let store = try Store.of(
            EntityDescription(
                "Task",
                attributes: [
                    Attribute("id", .integer64),
                    Attribute("name", .string, remoteKey: "name.text"),
                ]
            )
        )
        try expect(
            store.load(
                "Task",
                """
                [{"id": 1, "name": {"text": "a"}}, {"id": 2, "name": "b"}, {"id": 3, "name": {}},
                 {"id": 4, "name": null}]
                """
            ),
            is: "Task +4"
        )
        try store.load("Task", #"[{"id": 1, "name": {}}, {"id": 2, "name": null}]"#, .upsert)
        try expect(
            table(of: store),
            is: """
                Task
                #  id  name
                1  1   a
                2  2   -
                3  3   -
                4  4   -
                """
        )
    }

    @Test func `a number in a key path is an array index, and an index past the end is null`()
        throws
    {
        let store = try Store.of(
            .named(
                "Post",
                [
                    Attribute("first", .string, remoteKey: "tags.0.name"),
                    Attribute("second", .string, remoteKey: "tags.1.name"),
                    Attribute("point", .double, remoteKey: "position.1"),
                ]
            )
        )
        try expect(
            store.load(
                "Post",
                """
                [{"id": 1, "tags": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "position": [1, 2.5]},
                 {"id": 2, "tags": [{"name": "a"}, {"name": "b"}], "position": [1, 2]},
                 {"id": 3, "tags": [{"name": "a"}, null]}]
                """
            ),
            is: "Post +3"
        )
        try store.load(
            "Post",
            """
            [{"id": 1, "tags": [{"label": "x"}]}, {"id": 2, "tags": [], "position": []}, {"id": 3}]
            """
        )
        try expect(
            table(of: store),
            is: """
                Post
                #  id  name  first  second  point
                1  1   -     a      -       2.5
                2  2   -     -      -       -
                3  3   -     a      -       -
                """
        )
    }

    @Test(arguments: [
        (#""tags": [], "first": "x""#, "x"), (#""first": "x", "tags": []"#, "x"),
        (#""tags": [], "tags": ["a"]"#, "a"), (#""tags": ["a"], "tags": []"#, "-"),
        (#""tags": ["a"], "first": "x""#, "a"), (#""first": "x", "tags": ["a"]"#, "a"),
        (#""tags": [null], "first": "x""#, "-"), (#""tags": []"#, "-"), (#""tags": "x""#, "o"),
    ])
    func `a value of the object takes precedence over a missing array element`(
        _ members: String,
        _ value: String
    ) throws {
        let store = try Store.of(.named("Post", [Attribute("first", .string, remoteKey: "tags.0")]))
        try store.load("Post", #"[{"id": 1, "tags": ["o"]}]"#)
        try store.load("Post", #"[{"id": 1, \#(members)}]"#)
        try expect(
            table(of: store),
            is: """
                Post
                #  id  name  first
                1  1   -     \(value)
                """
        )
    }

    @Test func `a key path through an array may begin with the attribute's own name`() throws {
        let store = try Store.of(
            .named(
                "Post",
                [
                    Attribute("tags", .string, remoteKey: "tags.0"),
                    Attribute("label", .string, remoteKey: "label.0.text"),
                ]
            )
        )
        let document = """
            [{"id": 1, "tags": ["a", "b"], "label": [{"text": "x"}]}, {"id": 2, "tags": "c"},
             {"id": 3, "tags": ["d"], "label": "y"}]
            """
        try expect(store.load("Post", document), is: "Post +3")
        try expect(
            store.load("Post", #"[{"id": 3, "tags": [], "label": []}]"#, .upsert),
            is: "Post ~1"
        )
        try expect(
            table(of: store),
            is: """
                Post
                #  id  name  tags  label
                1  1   -     a     x
                2  2   -     c     -
                3  3   -     -     -
                """
        )
    }
}
