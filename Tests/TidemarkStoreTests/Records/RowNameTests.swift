import Testing
import TidemarkStore

struct RowNameTests {
    @Test(arguments: ["", "User", "#1", ":1", "User#", "User#0", "User#-1", "User#x", "User#1.5"])
    func `refuses a text that names no row`(_ text: String) {
        #expect {
            try RowName(text)
        } throws: { error in
            (error as? StoreError)?.code == .invalidReference
        }
    }

    @Test(arguments: [
        ("User#12", "User", RowName.Place.number(12)),
        ("User:6", "User", .key("6")),
        ("User:#6", "User", .key("#6")),
        ("User:a:b", "User", .key("a:b")),
        ("User:", "User", .key("")),
        ("Order:[1,\"A-7\"]", "Order", .key("[1,\"A-7\"]")),
    ])
    func `reads a number or a key, and is written as it was`(
        _ text: String,
        _ entity: String,
        _ place: RowName.Place
    ) throws {
        let name = try RowName(text)
        #expect(name.entity == entity)
        #expect(name.place == place)
        #expect(name.description == text)
    }
}
