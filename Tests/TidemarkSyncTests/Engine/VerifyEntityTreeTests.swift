import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Verifications of sub-entities, of keys within a parent, and of several lists of one entity.
struct VerifyEntityTreeTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Animal",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            discriminator: "kind"
        ),
        EntityDescription(
            "Dog",
            parent: "Animal",
            attributes: [Attribute("tricks", .integer16, defaultValue: .integer(1))]
        ),
        .named("Post", [], .many("comments", "Comment", inverse: "post", isOrdered: true)),
        EntityDescription(
            "Comment",
            primaryKey: ["post", "id"],
            attributes: [Attribute("id", .integer64), Attribute("body", .string)],
            relationships: [.one("post", "Post", inverse: "comments")]
        ),
    ])

    private static let dog = #"{"id": 1, "kind": "Dog", "name": "Rex", "tricks": 4}"#
    private static let post = #"{"id": 1, "comments": [{"id": 1, "body": "A"}, {"id": 2}]}"#
    private static let other = #"{"id": 2, "comments": [{"id": 1, "body": "B"}]}"#

    private static func mirror() async throws -> ScriptedMirror {
        var mirror = try ScriptedMirror(
            model,
            [("Animal", "animals"), ("Animal", "pets"), ("Post", "posts")]
        )
        mirror.resources[1].style.deletes = .none
        mirror.service["/animals"] = #"[{"id": 1, "kind": "Dog"}, {"id": 2, "name": "Tom"}]"#
        mirror.service["/pets"] = "[\(dog), {\"id\": 2}]"
        mirror.service["/posts"] = "[\(post), \(other)]"
        try await mirror.pull()
        return mirror
    }

    @Test(arguments: [1, 4])
    func `a store matches a service that has not changed`(_ concurrency: Int) async throws {
        let mirror = try await Self.mirror()
        for _ in 0..<2 {
            #expect(try await mirror.engine(concurrency: concurrency).verify().lines == [])
            try await mirror.pull()
        }
    }

    private static let changes: [(from: String, to: String, lines: [String])] = [
        (#", "tricks": 4"#, "", ["Dog#1 both tricks integer(4) integer(1)"]),
        (#", "name": "Rex""#, "", [#"Dog#1 both name string("Rex") null"#]),
        (#", "body": "A""#, "", [#"Comment#1 both body string("A") null"#]),
        (
            #", "comments": [{"id": 1, "body": "A"}, {"id": 2}]"#, "",
            ["Comment#1 both post [Post#1] []", "Comment#2 both post [Post#1] []"]
        ),
        (#", {"id": 2}"#, "", []),
    ]

    @Test(arguments: changes.indices)
    func `values that no list contains any more differ`(_ index: Int) async throws {
        let change = Self.changes[index]
        let mirror = try await Self.mirror()
        for path in ["/pets", "/posts"] {
            mirror.service[path] = mirror.service[path]?.replacing(change.from, with: change.to)
        }
        try await mirror.pull()
        #expect(try await mirror.engine().verify().lines == change.lines)
    }

    /// The pages of an interrupted pull prove nothing: the verification reads all of them.
    @Test func `a verification reads every page, even after an interrupted pull`() async throws {
        let mirror = try await Self.mirror()
        mirror.service["/posts"] = "[\(Self.post.replacing("A", with: "C")), \(Self.other)]"
        mirror.service["/pets"] = nil
        try await mirror.pull()
        mirror.service["/pets"] = "[\(Self.dog), {\"id\": 2}]"
        _ = mirror.service.takeRequests()
        let verification = try await mirror.engine().verify()
        #expect(verification.lines == [])
        #expect(mirror.service.takeRequests().allSatisfy { $0.hasSuffix(" 200") })
    }
}
