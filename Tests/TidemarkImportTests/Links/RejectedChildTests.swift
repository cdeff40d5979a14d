import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Rejected objects without a key, in the list of the row that contains them.
struct RejectedChildTests {
    private func store(_ children: [String] = []) throws -> Store {
        let store = try Store.of(
            .named("Post", [], .many("parts", "Part", inverse: "post")),
            EntityDescription(
                "Part",
                attributes: [
                    Attribute("text", .string, validation: .init(pattern: "[a-e]")),
                    Attribute("size", .integer16, isOptional: false, defaultValue: .integer(0)),
                ],
                relationships: [
                    .one("post", "Post", inverse: "parts"),
                    .many("notes", "Note", inverse: "part", .cascade),
                ]
            ),
            EntityDescription(
                "Note",
                attributes: [Attribute("text", .string)],
                relationships: [.one("part", "Part", inverse: "notes")]
            )
        )
        let parts = children.map { #"{"text": "\#($0)", "notes": [{"text": "of \#($0)"}]}"# }
        try store.load(
            "Post",
            #"[{"id": 1, "parts": [\#(parts.joined(separator: ","))]}]"#
        )
        return store
    }

    /// Returns the parts with their notes, such as `1 a: of a, 2 b: of b` with row numbers.
    private func parts(_ store: Store) throws -> String {
        try store.read { db in
            let layout = try #require(store.layout.entity("Part").relationship("notes"))
            let parts = try db.fetch(RecordRequest("Part"))
            return try parts.map { part in
                let number = part.reference.number
                let notes = try db.linked(layout, of: number).map { note in
                    try Self.text(db.record(RecordLocator("Note#\(note)"))["text"])
                }
                return "\(number) \(Self.text(part["text"])): \(notes.joined(separator: " "))"
            }
            .joined(separator: ", ")
        }
    }

    private static func text(_ value: Value?) -> String {
        if case .string(let text) = value { text } else { "-" }
    }

    private static let rejected = [
        #"{"text": "x"}"#, #"{"size": null}"#, "17", #"["a"]"#, #"{"text": "a", "size": null}"#,
    ]

    @Test(arguments: rejected)
    func `a rejected object neither deletes a child nor shifts the positions of others`(
        _ object: String
    ) throws {
        let changed = #"{"text": "e"}"#
        let cases: [(stored: [String], list: [String], after: String)] = [
            (["a", "b"], [object, #"{"text": "b"}"#], "1 a: of a, 2 b: of b"),
            (["a", "b"], [object, changed], "1 a: of a, 2 e: of b"),
            (["a", "b"], [#"{"text": "a"}"#, "null", object], "1 a: of a, 2 b: of b"),
            (
                ["a", "b", "c"], [changed, object, #"{"text": "c"}"#],
                "1 e: of a, 2 b: of b, 3 c: of c"
            ),
            (["a"], [object], "1 a: of a"),
            (["a"], [object, object], "1 a: of a"),
        ]
        for (stored, list, after) in cases {
            let json = list.joined(separator: ",")
            for isScoped in [false, true] where !isScoped || !list.contains("null") {
                let store = try store(stored)
                for _ in 1...2 {
                    if isScoped {
                        try store.load("Part", "[\(json)]", parent: "Post:1")
                    } else {
                        try store.load("Post", #"[{"id": 1, "parts": [\#(json)]}]"#)
                    }
                    try expect(parts(store), is: after)
                }
            }
        }
    }

    @Test(arguments: rejected)
    func `importing a list with a rejected object again changes nothing`(_ object: String) throws {
        let a = #"{"text": "a"}"#
        let b = #"{"text": "b"}"#
        for list in [[object, a, b], [a, object, b], [object, a, object, b], [a, b, object]] {
            let json = list.joined(separator: ",")
            let nested = try store()
            try nested.load("Post", #"[{"id": 1, "parts": [\#(json)]}]"#)
            let scoped = try store()
            try scoped.load("Part", "[\(json)]", parent: "Post:1")
            for store in [nested, scoped] { try expect(parts(store), is: "1 a: , 2 b: ") }
            try nested.load("Post", #"[{"id": 1, "parts": [\#(json)]}]"#)
            try scoped.load("Part", "[\(json)]", parent: "Post:1")
            for store in [nested, scoped] { try expect(parts(store), is: "1 a: , 2 b: ") }
        }
    }

    @Test func `skipping the row of an invalid value deletes no child`() throws {
        let store = try store(["a", "b"])
        let list = #"[{"text": "a", "size": "x"}, {"text": "b"}]"#
        for _ in 1...2 {
            try expect(
                store.load("Post", #"[{"id": 1, "parts": \#(list)}]"#, invalid: .skipRow),
                is: "Part =1 !1, Post =1\nPart, size: The value is not a number."
            )
            try expect(
                store.load("Part", list, parent: "Post:1", invalid: .skipRow),
                is: "Part =1 !1\nPart, size: The value is not a number."
            )
        }
        try expect(parts(store), is: "1 a: of a, 2 b: of b")
    }
}
