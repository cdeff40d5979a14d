import Testing
import TidemarkStore
import TidemarkTestSupport

struct RowSetTests {
    @Test func `an empty set contains nothing`() {
        let set = RowSet()
        #expect(set.count == 0)
        #expect(set.first == nil)
        #expect(set.last == nil)
        #expect(Array(set.rows) == [])
        #expect(!set.contains(1))
        set.remove(1)
        #expect(set.takeChangedBlocks().isEmpty)
        #expect(set.allBlocks().isEmpty)
    }

    @Test func `finds the first missing number across blocks`() {
        let set = RowSet(1...200_000)
        #expect(set.firstMissing(from: .min) == .min)
        #expect(set.firstMissing(from: 0) == 0)
        #expect(set.firstMissing(from: 1) == 200_001)
        #expect(set.firstMissing(from: 200_005) == 200_005)
        set.remove(131_072)
        #expect(set.firstMissing(from: 63) == 131_072)
        #expect(set.firstMissing(from: 131_072) == 131_072)
        #expect(set.firstMissing(from: 131_073) == 200_001)
        #expect(RowSet((.max - 3)...(.max)).firstMissing(from: .max - 2) == nil)
    }

    @Test(arguments: [7, 1_000_003, UInt64.max])
    func `behaves as a set of numbers under random operations`(_ seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bases: [Int64] = [0, 65_530, 1 << 31, (1 << 32) - 8, (1 << 32) + 65_536, .max - 40]
        var model: Set<Int64> = []
        let set = RowSet()
        var kept: [Int64: [UInt8]] = [:]
        for _ in 0..<3_000 {
            let row =
                (bases.randomElement(using: &random) ?? 0) + .random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: #expect(set.insert(row) == model.insert(row).inserted)
            case 6..<8:
                set.remove(row)
                model.remove(row)
            case 8: #expect(set.contains(row) == model.contains(row))
            default: for block in set.takeChangedBlocks() { kept[block.number] = block.bytes }
            }
            #expect(set.count == model.count)
        }
        for base in bases {
            let row = base + .random(in: 0..<40, using: &random)
            let missing = (row...row + min(40, .max - row)).first { !model.contains($0) }
            #expect(set.firstMissing(from: row) == missing)
        }
        #expect(Array(set.rows) == model.sorted())
        #expect(set.first == model.min())
        #expect(set.last == model.max())

        for block in set.takeChangedBlocks() { kept[block.number] = block.bytes }
        let restored = RowSet()
        for (number, bytes) in kept { restored.add(block: number, bytes: bytes) }
        #expect(Array(restored.rows) == model.sorted())
        #expect(restored.count == model.count)
        #expect(restored.takeChangedBlocks().isEmpty)
    }

    @Test func `adding a block again joins its rows, for short and long blocks`() {
        let first = RowSet()
        first.insert(3)
        first.insert(70_000)
        let second = RowSet()
        second.insert(3)
        second.insert(9)
        for (number, bytes) in first.allBlocks() { second.add(block: number, bytes: bytes) }
        second.add(block: 0, bytes: [0b10])
        second.add(block: 1, bytes: [])
        second.add(block: 2, bytes: Array(repeating: 0, count: 8_192) + [0xFF])
        #expect(Array(second.rows) == [1, 3, 9, 70_000])
        #expect(second.count == 4)
    }

    @Test func `returns the blocks that changed since the last call`() {
        let set = RowSet()
        set.insert(1)
        set.insert(65_536)
        #expect(set.takeChangedBlocks().map(\.number) == [0, 1])
        #expect(set.takeChangedBlocks().isEmpty)
        set.insert(1)
        #expect(set.takeChangedBlocks().isEmpty)
        set.insert(2)
        set.remove(65_536)
        #expect(set.takeChangedBlocks().map(\.number) == [0, 1])
    }
}
