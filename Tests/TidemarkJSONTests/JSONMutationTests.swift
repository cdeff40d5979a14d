import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONMutationTests {
    private static let sample = Array(
        #" [{"id":1,"näme":"é\u00e9\uD83D\uDE00\n"}, -1.5e+3, [true,false,null,[]],{"a":{}} ] "#
            .utf8
    )

    private static func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch generator.next() % 4 {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(sample[Int(generator.next() % UInt64(sample.count))], at: index)
            default: bytes.removeLast(Int.random(in: 0..<min(9, bytes.count), using: &generator))
            }
        }
        return bytes
    }

    /// Returns the items of a text, or its error.
    private static func outcome(_ items: () throws -> some JSONItems) -> String {
        do {
            var items = try items()
            return try items.texts().joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func `a document and a stream agree on damaged texts`() {
        for seed in UInt64(1)...5000 {
            var generator = SeededGenerator(seed: seed)
            let bytes = Self.mutated(&generator)
            let window = Int.random(in: 1...40, using: &generator)
            let inMemory = Self.outcome { try JSONDocument(bytes).items() }
            let streamed = Self.outcome { JSONItemReader(bytes, window: window) }
            #expect(inMemory == streamed, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
