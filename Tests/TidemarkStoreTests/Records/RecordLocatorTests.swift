import Testing
import TidemarkModel
import TidemarkStore

struct RecordLocatorTests {
    @Test(arguments: ["", "User", "#1", ":1", "User#", "User#0", "User#-1", "User#x", "User#1.5"])
    func `rejects a text that does not locate a row`(_ text: String) {
        #expect {
            try RecordLocator(text)
        } throws: { error in
            (error as? StoreError)?.code == .invalidLocator
        }
    }

    @Test(arguments: [
        ("User#12", "User", RecordLocator.Identifier.number(12)),
        ("User:6", "User", .key(.text("6"))),
        ("User:#6", "User", .key(.text("#6"))),
        ("User:a:b", "User", .key(.text("a:b"))),
        ("User:", "User", .key(.text(""))),
        ("Order:[1,\"A-7\"]", "Order", .key(.text("[1,\"A-7\"]"))),
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

    @Test(
        arguments: [
            (6, "User:6"), ("a:b", "User:a:b"), ([.uuid("A0")], "User:A0"),
            ([.integer(1), .string("A\"7")], "User:[1,\"A\\\"7\"]"),
        ] as [(RecordKey, String)]
    )
    func `prints the text form of a key`(key: RecordKey, text: String) throws {
        let locator = RecordLocator("User", key: key)
        #expect(locator.description == text)
        #expect(try RecordLocator(text).description == text)
    }
}
