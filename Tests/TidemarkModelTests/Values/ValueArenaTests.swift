import Testing
import TidemarkJSON
import TidemarkTestSupport

@testable import TidemarkModel

struct ValueArenaTests {
    @Test func `allocated values stay in place and unchanged until the reset`() {
        let arena = ValueArena()
        for seed in UInt64(1)...5 {
            var generator = SeededGenerator(seed: seed)
            var kept: [(bytes: UnsafeRawBufferPointer, fill: UInt8)] = []
            for index in 0..<500 {
                let count = Int.random(in: 0...(index % 50 == 0 ? 100_000 : 900), using: &generator)
                let fill = UInt8(truncatingIfNeeded: generator.next())
                let copy = [UInt8](repeating: fill, count: count).withUnsafeBytes { arena.copy($0) }
                #expect(copy.count == count && copy.baseAddress != nil)
                kept.append((copy, fill))
            }
            #expect(kept.allSatisfy { kept in kept.bytes.allSatisfy { $0 == kept.fill } })
            arena.reset()
        }
    }

    @Test func `reuses its memory after a reset`() {
        let arena = ValueArena()
        let first = arena.allocate(10).baseAddress
        _ = arena.allocate(70_000)
        arena.reset()
        #expect(arena.allocate(10).baseAddress == first)
    }

    @Test func `an empty text has an address, so that SQLite does not bind null`() {
        let arena = ValueArena()
        #expect(arena.copy("").baseAddress != nil)
        #expect(arena.copy(UnsafeRawBufferPointer(start: nil, count: 0)).baseAddress != nil)
    }

    @Test(arguments: [
        ("[ 1 , 2.50 , \"a \\\" b\" ,\t{ \"k \" :\n[ ] } ]", #"[1,2.50,"a \" b",{"k ":[]}]"#),
        ("  \"a b\"  ", "\"a b\""), ("1e5", "1e5"), ("{\"a\\\\\": 1}", "{\"a\\\\\":1}"),
    ])
    func `copies JSON text without white space`(_ json: String, _ compact: String) throws {
        let arena = ValueArena()
        try JSONDocument(json).withRoot { root in
            #expect(String(decoding: root.compactText(in: arena), as: UTF8.self) == compact)
        }
    }
}
