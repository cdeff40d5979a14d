import Testing

@testable import TidemarkCLI

/// The names of resources in output and in suggested commands.
struct ResourceNamesTests {
    private let names = ResourceNames([
        "users/": "User", "posts/?a=*&b": "Post", "drafts/?x='y'": "Post",
    ])

    @Test(arguments: [
        ("users/", "User"), ("posts/?a=*&b", "Post (posts/?a=*&b)"), ("gone/", "gone/"),
    ])
    func `a resource is named by its entity, and also by its path if two share the entity`(
        _ path: String,
        _ name: String
    ) {
        #expect(names.name(of: path) == name)
    }

    @Test(arguments: [
        ("users/", "User"), ("posts/?a=*&b", "'posts/?a=*&b'"),
        ("drafts/?x='y'", #"'drafts/?x='\''y'\'''"#), ("gone/", "gone/"),
    ])
    func `a resource is quoted as one word of a shell command`(_ path: String, _ argument: String) {
        #expect(names.argument(for: path) == argument)
    }

    @Test func `a resource is found by its path, or by its entity if that is unique`() {
        #expect(names.path(of: "User") == "users/")
        #expect(names.path(of: "users/") == "users/")
        #expect(names.path(of: "Post") == nil)
        #expect(names.path(of: "posts/?a=*&b") == "posts/?a=*&b")
        #expect(names.path(of: "Cat") == nil)
    }

    @Test(arguments: [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
    func `a noun agrees with its number`(_ number: Int, _ text: String) {
        #expect(number.counted("row") == text)
    }
}
