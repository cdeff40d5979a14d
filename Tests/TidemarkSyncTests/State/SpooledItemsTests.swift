import Testing
import TidemarkJSON
import TidemarkModel

@testable import TidemarkSync

/// Reading the items of a spooled page in several transactions.
struct SpooledItemsTests {
    /// A document, the text before the first item of its list, and the items.
    static let documents: [(text: String, head: String, items: [String])] = [
        ("[1,2,3]", "[", ["1", "2", "3"]),
        ("[]", "[", []),
        ("[ \n ]", "[", []),
        (
            " {\"a\": [0], \"results\" :[ {\"a\":[1,[2,{\"b\":\",\"}]]} ,\n\t\"],[\" , null\r\n,[[],[]] ],\"n\":1}",
            " {\"a\": [0], \"results\" :[",
            ["{\"a\":[1,[2,{\"b\":\",\"}]]}", "\"],[\"", "null", "[[],[]]"]
        ),
        (
            "[\"é\u{1F600}\\\"\\\\\",{ },[ ],-1.5e3,true,false]", "[",
            ["\"é\u{1F600}\\\"\\\\\"", "{}", "[]", "-1.5e3", "true", "false"]
        ),
    ]

    /// Returns a spool with a text in chunks of `chunk` bytes, without the chunks at some offsets.
    private func spool(
        _ text: String,
        chunk: Int,
        without missing: Set<Int> = []
    ) async throws -> Spool {
        let bytes = Array(text.utf8)
        let spool = try Spool.create()
        for offset in stride(from: 0, to: bytes.count, by: chunk) where !missing.contains(offset) {
            try await spool.write(Array(bytes[offset...].prefix(chunk)), at: offset)
        }
        return spool
    }

    /// Reads `count` items, `batch` of them per transaction.
    private func read(
        _ spool: Spool,
        _ head: String,
        _ count: Int,
        by batch: Int
    ) throws -> [String] {
        var position = SpooledItems.Position(offset: head.utf8.count, count: count)
        var found: [String] = []
        repeat {
            var items = SpooledItems(spool, from: position, limits: Limits())
            for _ in 0..<batch {
                let hasItem = try items.next { node in
                    var text: [UInt8] = []
                    node.compactText(into: &text)
                    found.append(String(decoding: text, as: UTF8.self))
                }
                guard hasItem else { break }
            }
            position = items.position
        } while position.count > 0
        return found
    }

    @Test(arguments: documents)
    func `reads all items, for any size of chunks and transactions`(
        _ text: String,
        _ head: String,
        _ items: [String]
    ) async throws {
        for chunk in [1, 2, 3, 5, 7, 16, 1_000] {
            let spool = try await spool(text, chunk: chunk)
            for batch in 1...(items.count + 1) {
                #expect(
                    try read(spool, head, items.count, by: batch) == items,
                    "chunks of \(chunk), \(batch) at a time"
                )
            }
        }
    }

    @Test func `a missing chunk is an error, not the end of the list`() async throws {
        let text = "[\(Array(repeating: "{\"a\":1}", count: 40).joined(separator: ","))]"
        for offset in [16, 160, 272] {
            let spool = try await spool(text, chunk: 16, without: [offset])
            for batch in [1, 3, 100] {
                #expect(throws: JSONError.self) { try read(spool, "[", 40, by: batch) }
            }
        }
    }

    @Test func `reads no more items than the page contained`() async throws {
        let spool = try await spool("[1,2,3,4]", chunk: 4)
        #expect(try read(spool, "[", 2, by: 10) == ["1", "2"])
        #expect(try read(spool, "[", 2, by: 1) == ["1", "2"])
    }
}
