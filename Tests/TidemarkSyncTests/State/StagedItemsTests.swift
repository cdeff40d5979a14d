import GRDB
import Testing
import TidemarkModel

@testable import TidemarkSync

struct StagedItemsTests {
    private let database: DatabaseQueue
    private let stage = Stage(resource: "films/")

    init() throws {
        database = try DatabaseQueue()
        try database.write { try SyncTables.create($0) }
    }

    /// A document, what stands before its list's first item, and its items.
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

    private func fill(_ text: String, piece: Int) throws {
        let bytes = Array(text.utf8)
        try database.write { db in
            try stage.drop(db, before: .max)
            for offset in stride(from: 0, to: bytes.count, by: piece) {
                try stage.write(db, Array(bytes[offset...].prefix(piece)), at: offset)
            }
        }
    }

    /// Reads so many items a transaction.
    private func read(_ head: String, _ count: Int, by batch: Int) throws -> [String] {
        var place = StagedItems.Place(offset: head.utf8.count, count: count)
        var found: [String] = []
        repeat {
            place = try database.read { db in
                var items = StagedItems(db, stage, from: place, limits: Limits())
                for _ in 0..<batch {
                    let hasItem = try items.next { node in
                        var text: [UInt8] = []
                        node.compactText(into: &text)
                        found.append(String(decoding: text, as: UTF8.self))
                    }
                    guard hasItem else { break }
                }
                return items.rest
            }
        } while place.count > 0
        return found
    }

    @Test(arguments: documents)
    func `all items are read, whatever the pieces and however many a transaction reads`(
        _ text: String,
        _ head: String,
        _ items: [String]
    ) throws {
        for piece in [1, 2, 3, 5, 7, 16, 1_000] {
            try fill(text, piece: piece)
            for batch in 1...(items.count + 1) {
                #expect(
                    try read(head, items.count, by: batch) == items,
                    "pieces of \(piece), \(batch) at a time"
                )
            }
        }
    }

    @Test func `what is missing is an error, never the end`() throws {
        let text = "[\(Array(repeating: "{\"a\":1}", count: 40).joined(separator: ","))]"
        try fill(text, piece: 16)
        for offset in [16, 160, 272] {
            try fill(text, piece: 16)
            try database.write { db in
                try db.execute(
                    sql: "DELETE FROM _tidemark_stage WHERE offset = ?",
                    arguments: [offset]
                )
            }
            for batch in [1, 3, 100] {
                #expect(throws: JSONError.self) { try read("[", 40, by: batch) }
            }
        }
    }

    @Test func `no more items are read than there were`() throws {
        try fill("[1,2,3,4]", piece: 4)
        #expect(try read("[", 2, by: 10) == ["1", "2"])
        #expect(try read("[", 2, by: 1) == ["1", "2"])
    }

    @Test func `a stage is of its own list, and is empty when it was cleared`() throws {
        let other = Stage(resource: "people/")
        try fill("[1,2]", piece: 2)
        try database.write { db in
            try other.write(db, Array("[3]".utf8), at: 0)
            try stage.drop(db, before: .max)
        }
        #expect(throws: JSONError.self) { try read("[", 1, by: 1) }
        let text = try database.read { db in
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = try bytes.withUnsafeMutableBytes { try other.reader(db, from: 1)($0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text == "3]")
    }
}
