import Foundation
import Testing
import TidemarkInference
import TidemarkJSON
import TidemarkModel

/// Samples that are nested to the maximum depth of a document.
struct DeepSampleTests {
    @Test(arguments: [
        (#"{"a":"#, "}", "Item[id]: id integer64, bAAAA json ← b.a.a.a.a"),
        ("[", "]", "Item[id]: id integer64, b json"),
        (
            #"[{"id":1,"b":"#, "}]",
            "Item[id]: id integer64; b →→ Item ⇄ bOf, bOf →→ Item ⇄ b"
        ),
        (#"{"id":1,"b":"#, "}", "Item[id]: id integer64; b → Item ⇄ bOf, bOf →→ Item ⇄ b"),
    ])
    func `half a megabyte of stack is enough for the deepest document`(
        start: String,
        end: String,
        model: String
    ) async throws {
        let count = (Limits().json.depth - 2) / start.count { "[{".contains($0) }
        let deep =
            String(repeating: start, count: count) + "1" + String(repeating: end, count: count)
        let text = try await onSmallStack {
            try infer(["items.json": #"[{"id": 1, "b": \#(deep)}]"#]).text
        }
        #expect(text == model)
    }

    @Test func `values beyond the depth limit are kept as JSON or reported`() throws {
        var limits = InferenceLimits()
        limits.depth = 2
        let inferred = try infer(
            [
                "items.json": """
                [{"id": 1, "a": {"b": {"c": 1}, "users": [{"id": 2}], "tag_ids": [1]},
                  "items": [{"id": 2, "items": [{"id": 3, "size": 1.5}]}]}]
                """,
                "users.json": #"[{"id": 2}]"#,
            ],
            limits: limits
        )
        #expect(
            inferred.text == """
                Item[id]: id integer64, aBC integer64 ← a.b.c, aUsers json ← a.users, \
                aTagIDs json ← a.tag_ids; items →→ Item ⇄ itemsOf, itemsOf →→ Item ⇄ items
                User[id]: id integer64
                """
        )
        #expect(
            inferred.doubtfulNotes.contains("Item.items: Objects below 2 levels were not examined.")
        )
    }

    /// Returns the result of a closure on a thread with half a megabyte of stack.
    private func onSmallStack<Outcome: Sendable>(
        _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
