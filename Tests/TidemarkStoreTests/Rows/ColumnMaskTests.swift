import Testing
import TidemarkStore
import TidemarkTestSupport

struct ColumnMaskTests {
    @Test(arguments: [3, 11, 4_294_967_311])
    func `behaves as a set of columns, also beyond 64`(_ seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var mask = ColumnMask()
        var model: Set<Int> = []
        #expect(mask.isEmpty)
        for _ in 0..<200 {
            var other = ColumnMask()
            let columns = (0..<3).map { _ in Int.random(in: 0..<300, using: &random) }
            for column in columns { other.insert(column) }
            mask.formUnion(other)
            model.formUnion(columns)
        }
        #expect((0..<400).filter(mask.contains) == model.sorted())
        #expect(!mask.isEmpty)
    }

    @Test(arguments: [[0], [63], [64], [127, 128], [0, 64, 299]])
    func `masks of the same columns are equal however they were created`(_ columns: [Int]) {
        var expected = ColumnMask()
        for column in columns { expected.insert(column) }
        var joined = ColumnMask()
        for column in columns.reversed() {
            var one = ColumnMask()
            one.insert(column)
            joined.formUnion(one)
        }
        joined.formUnion(ColumnMask())
        #expect(expected == joined)
        #expect(Set([expected, joined]).count == 1)
    }
}
