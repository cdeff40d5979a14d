import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct TokenLimitTests {
    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.itemTokens = 1_000
        return limits
    }()

    private static let message = "one item has more than 1000 values and member names"

    private func items(_ text: String, window: Int = 64) -> JSONItemReader {
        JSONItemReader(Array(text.utf8), limits: Self.limits, window: window)
    }

    @Test(arguments: [
        "[" + String(repeating: "0,", count: 100_000) + "0]",
        "[{\"x\":[" + String(repeating: "[],", count: 2_000) + "0]}]",
        "{" + (0..<1_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
    ])
    func `rejects an item with too many values before it is held in memory`(_ text: String) {
        for window in [64, 1 << 20] {
            var reader = JSONItemReader(
                Array("[\(text)]".utf8),
                limits: Self.limits,
                window: window
            )
            let error = #expect(throws: JSONError.self) { try reader.texts() }
            #expect(error?.message == Self.message)
        }
        let error = #expect(throws: JSONError.self) {
            try JSONDocument(Array(text.utf8), limits: Self.limits)
        }
        #expect(error?.message == Self.message)
    }

    @Test func `reads any number of items, and skips any number of values`() throws {
        let numbers = "[" + String(repeating: "0,", count: 20_000) + "0]"
        var list = items(numbers)
        #expect(try list.texts().count == 20_001)
        var rooted = JSONItemReader(
            Array("{\"a\":\(numbers),\"b\":[1]}".utf8),
            root: "b",
            limits: Self.limits
        )
        #expect(try rooted.texts() == ["1"])
    }

    @Test(arguments: [900, 998]) func `reads an item with as many values as allowed`(
        _ count: Int
    ) throws {
        var list = items("[[" + String(repeating: "0,", count: count) + "0]]")
        #expect(try list.texts().count == 1)
    }

    @Test(arguments: [-1, 0, 1]) func `a limit that is too small does not reject small items`(
        _ limit: Int
    ) throws {
        var limits = JSONLimits()
        limits.itemTokens = limit
        #expect(throws: Never.self) { try JSONDocument(Array("[1,2]".utf8), limits: limits) }
        let many = Array("[\(String(repeating: "1,", count: 20))1]".utf8)
        #expect(throws: JSONError.self) { try JSONDocument(many, limits: limits) }
    }
}
