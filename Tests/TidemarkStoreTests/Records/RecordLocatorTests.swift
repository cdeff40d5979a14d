import Testing
import TidemarkStore

struct RecordLocatorTests {
    @Test(arguments: ["", "User", "#1", ":1", "User#", "User#0", "User#-1", "User#x", "User#1.5"])
    func `rejects a text that does not locate a row`(_ text: String) {
        #expect {
            try RecordLocator(text)
        } throws: { error in
            (error as? StoreError)?.code == .invalidReference
        }
    }

    @Test(arguments: [
        ("User#12", "User", RecordLocator.Identifier.number(12)),
        ("User:6", "User", .key("6")),
        ("User:#6", "User", .key("#6")),
        ("User:a:b", "User", .key("a:b")),
        ("User:", "User", .key("")),
        ("Order:[1,\"A-7\"]", "Order", .key("[1,\"A-7\"]")),
    ])
    func `parses a number or a key, and prints the same text`(
        _ text: String,
        _ entity: String,
        _ identifier: RecordLocator.Identifier
    ) throws {
        let name = try RecordLocator(text)
        #expect(name.entity == entity)
        #expect(name.identifier == identifier)
        #expect(name.description == text)
    }
}
