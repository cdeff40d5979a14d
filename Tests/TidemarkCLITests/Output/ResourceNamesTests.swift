import Testing

@testable import TidemarkCLI

struct ResourceNamesTests {
    private let names = ResourceNames([
        "users/": "User", "posts/?a=*&b": "Post", "drafts/?x='y'": "Post",
    ])

    @Test(arguments: [
        ("users/", "User"), ("posts/?a=*&b", "Post (posts/?a=*&b)"), ("gone/", "gone/"),
    ])
    func `a resource is called by its entity, and by its path where two share one`(
        _ path: String,
        _ name: String
    ) {
        #expect(names.name(of: path) == name)
    }

    @Test(arguments: [
        ("users/", "User"), ("posts/?a=*&b", "'posts/?a=*&b'"),
        ("drafts/?x='y'", #"'drafts/?x='\''y'\'''"#), ("gone/", "gone/"),
    ])
    func `a command names a resource by one word of a shell`(_ path: String, _ argument: String) {
        #expect(names.argument(for: path) == argument)
    }

    @Test func `a user names a resource by its entity where that is enough, and by its path`() {
        #expect(names.path(of: "User") == "users/")
        #expect(names.path(of: "users/") == "users/")
        #expect(names.path(of: "Post") == nil)
        #expect(names.path(of: "posts/?a=*&b") == "posts/?a=*&b")
        #expect(names.path(of: "Cat") == nil)
    }

    @Test(arguments: [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
    func `a noun agrees with its number`(_ number: Int, _ words: String) {
        #expect(number.counted("row") == words)
    }
}
