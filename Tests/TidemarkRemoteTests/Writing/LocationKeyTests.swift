import HTTPTypes
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkRemote

/// Keys that the URL of a new object names.
struct LocationKeyTests {
    private func key(
        in location: String,
        _ configure: (inout RemoteResource) -> Void = { _ in }
    ) throws -> String? {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Note", path: "notes")
        resource.push = .rest
        configure(&resource)
        return try fixture.remote(StubTransport("{}")).key(
            in: location,
            of: WriteTarget(resource: resource),
            named: ["id"]
        )
    }

    @Test(arguments: [
        ("notes/7", "7"), ("/notes/7", "7"), ("https://other.example.com/notes/7", "7"),
        ("/notes/7/", "7"), ("/notes/a%2Fb", "a/b"), ("/notes/7/_history/3", "7"),
        ("/jobs/7", nil), ("/notes/7/history", nil), ("/notes/", nil), ("/notes", nil),
        ("/notes/7?draft=1", nil), ("/v2/notes/7", nil), ("", nil), ("https://[", nil),
    ])
    func `a location names the key where the address of an object has it`(
        location: String,
        key: String?
    ) throws {
        #expect(try self.key(in: location) == key)
    }

    @Test func `the key may be in the query, as PostgREST has it`() throws {
        func key(_ location: String) throws -> String? {
            try self.key(in: location) { resource in
                resource.push.update = PushStyle.Operation(.patch, path: "{path}?id=eq.{key}")
                resource.push.delete = PushStyle.Operation(.delete, path: "{path}?id=eq.{key}")
            }
        }
        #expect(try key("/notes?id=eq.7") == "7")
        #expect(try key("/notes?id=eq.7&select=*") == nil)
        #expect(try key("/notes?author=eq.7") == nil)
    }

    @Test func `the path of a parent belongs to the address`() throws {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Comment", path: "posts/{post}/comments")
        resource.push = .rest
        let target = WriteTarget(resource: resource, parents: ["post": "3"])
        let remote = fixture.remote(StubTransport("{}"))
        #expect(try remote.key(in: "/posts/3/comments/9", of: target, named: ["id"]) == "9")
        #expect(try remote.key(in: "/posts/4/comments/9", of: target, named: ["id"]) == nil)
    }
}
