import Testing
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkTestSupport

/// Slugs and names as keys, which must differ in all objects, in any order of the samples.
struct ProvenKeyTests {
    @Test(arguments: 0..<5)
    func `one duplicate slug in a long list is found at any position`(index: Int) throws {
        let items = (0..<900).map { #"{"slug": "s\#($0)", "size": \#($0)}"# }
        let again = #"{"slug": "s\#(index * 180)", "size": 900}"#
        for seed in UInt64(0)..<4 {
            var chance = SeededGenerator(seed: seed)
            let shuffled = (items + [again]).shuffled(using: &chance).joined(separator: ",")
            let inferred = try infer(["things.json": "[\(shuffled)]"])
            #expect(inferred.text == "Thing[]: slug string, size integer64", "seed \(seed)")
            #expect(
                inferred.notes.map(\.description) == [
                    "Thing: No member identifies its objects: they can be imported only as the "
                        + "children of other rows."
                ],
                "seed \(seed)"
            )
        }
    }

    @Test(arguments: UInt64(1)...8)
    func `any order of the samples gives the same model and the same notes`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let count = Int.random(in: 600...900, using: &chance)
        var items = (0..<count).map { item in
            let other = Int.random(in: 0..<count, using: &chance)
            return """
                {"slug": "n\(item)", "tag": {"code": "t\(other)", "title": "\(other)x"},
                 "other_slug": "n\(other)", "links": ["https://h/notes/\(other)"]}
                """
        }
        let again = Int.random(in: 0..<300, using: &chance)
        items.append(#"{"slug": "n\#(again)", "tag": {"code": "t\#(again)", "title": "other"}}"#)
        var lists = [items[..<300] + items.suffix(1), items[300..<count]].map { Array($0) }
        let inferred = try (0..<6).map { _ in
            lists = lists.map { $0.shuffled(using: &chance) }.shuffled(using: &chance)
            var inference = ModelInference()
            for list in lists {
                let text = "[\(list.joined(separator: ","))]"
                try inference.add(JSONDocument(text), from: "notes.json")
            }
            return try inference.result()
        }
        #expect(Set(inferred.map(\.text)).count == 1, "seed \(seed)")
        #expect(Set(inferred).count == 1, "seed \(seed)")
    }

    @Test(arguments: [
        // A page that repeats an object of another page.
        (#"{"slug": "s1", "text": "1x"}"#, "slug string, text string"),
        // The object with fewer members, or with more.
        (#"{"slug": "s1"}"#, "slug string, text string"),
        (
            #"{"slug": "s1", "text": "1x", "title": "one"}"#,
            "slug string, text string, title string"
        ),
        // A different object.
        (#"{"slug": "s1", "text": "other"}"#, ""),
        // An invalid key.
        (#"{"slug": "", "text": "x"}"#, ""),
    ])
    func `objects of one key may be in several lists if they are consistent`(
        item: String,
        expected: String
    ) throws {
        let items = (0..<900).map { #"{"slug": "s\#($0)", "text": "\#($0)x"}"# }
        var inference = ModelInference()
        for list in [items, [item]] {
            try inference.add(
                JSONDocument("[\(list.joined(separator: ","))]"),
                from: "",
                entity: "Thing"
            )
        }
        let text = try inference.result().text
        let key = expected.isEmpty ? "" : "slug"
        #expect(
            text == "Thing[\(key)]: \(expected.isEmpty ? "slug string, text string" : expected)"
        )
    }

    @Test func `more values than the limit prove nothing, and a note says so`() throws {
        var limits = InferenceLimits()
        limits.keys = 3
        let items = (0..<4).map { #"{"slug": "s\#($0)", "size": 1}"# }
        let inferred = try infer(
            ["things.json": "[\(items.joined(separator: ","))]"],
            limits: limits
        )
        #expect(inferred.text == "Thing[]: slug string, size integer64")
        #expect(
            inferred.notes == [
                InferenceNote(
                    on: "Thing",
                    "“slug” may be the key: it has more than 3 values, too many to prove them "
                        + "different.",
                    needsReview: true
                )
            ]
        )
        try expect(
            ["things.json": "[\(items[..<3].joined(separator: ","))]"],
            give: "Thing[slug]: slug string, size integer64",
            limits: limits
        )
        try expect(
            ["things.json": #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]"#],
            give: "Thing[id]: id integer64",
            limits: limits
        )
    }
}
