import Foundation
import HTTPTypes
import Testing
import TidemarkRemote

/// The URLs of requests that change objects.
struct WriteTargetTests {
    private func urls(
        _ path: String,
        key: [WriteTarget.KeyPart],
        parents: [String: String] = [:],
        isObject: Bool = false,
        _ change: (inout PushStyle) -> Void = { _ in }
    ) throws -> [String] {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Thing", path: path)
        resource.push = .rest
        if isObject { resource.style.makeSingleObject() }
        change(&resource.push)
        let target = WriteTarget(resource: resource, key: key, parents: parents)
        let remote = fixture.remote(StubTransport("[]"))
        let urls = [
            try remote.url(of: .create, to: target), try remote.url(of: .update, to: target),
            try remote.url(of: .delete, to: target), try remote.readURL(of: target),
        ]
        return urls.map { $0?.absoluteString.replacing(RemoteFixture.address, with: "") ?? "-" }
    }

    private let seven = [WriteTarget.KeyPart(name: "id", value: "7")]

    @Test func `objects are below their list, with its slash and without its query`() throws {
        #expect(try urls("things", key: seven) == ["things", "things/7", "things/7", "things/7"])
        #expect(
            try urls("things/?page=1&fields=id", key: seven)
                == ["things/", "things/7/", "things/7/", "things/7/?page=1&fields=id"]
        )
    }

    @Test func `an object without a key has no URL, only its list`() throws {
        #expect(try urls("things", key: []) == ["things", "-", "-", "-"])
    }

    @Test func `a resource that is a single object is at its own path`() throws {
        #expect(
            try urls("settings", key: [], isObject: true)
                == ["settings", "settings", "settings", "settings"]
        )
    }

    @Test func `a key is one segment of the path, whatever it contains`() throws {
        let key = [WriteTarget.KeyPart(name: "id", value: "a/b?c=ü d")]
        let object = "things/a%2Fb%3Fc%3D%C3%BC%20d"
        #expect(try urls("things", key: key) == ["things", object, object, object])
        for value in ["", ".", ".."] {
            let key = [WriteTarget.KeyPart(name: "id", value: value)]
            #expect(try urls("things", key: key) == ["things", "-", "-", "-"])
        }
    }

    @Test func `a resource with a parent contains the parent's key`() throws {
        #expect(
            try urls("posts/{post}/things", key: seven, parents: ["post": "3"])
                == ["posts/3/things", "posts/3/things/7", "posts/3/things/7", "posts/3/things/7"]
        )
        #expect(try urls("posts/{post}/things", key: seven) == ["-", "-", "-", "-"])
    }

    @Test func `the key of a parent is not repeated below its list`() throws {
        let key = [
            WriteTarget.KeyPart(name: "post.id", value: "3"),
            WriteTarget.KeyPart(name: "number", value: "7"),
        ]
        let nested = ["posts/3/things", "posts/3/things/7", "posts/3/things/7", "posts/3/things/7"]
        #expect(try urls("posts/{post}/things", key: key) == nested)
        #expect(try urls("posts/{post.id}/things", key: key) == nested)
        #expect(
            try urls("posts/{post}/things", key: key) {
                $0.delete = .init(.delete, path: "t/{key}")
            }
                == ["posts/3/things", "posts/3/things/7", "t/7", "posts/3/things/7"]
        )
        #expect(try urls("things", key: key)[1] == "things/3/7")
    }

    @Test func `an operation may have a path of its own`() throws {
        let paths = try urls("issues.json?status_id=*", key: seven) {
            $0.create = PushStyle.Operation(.post, path: "issues.json")
            $0.update = PushStyle.Operation(.put, path: "issues/{key}.json")
            $0.delete = PushStyle.Operation(.delete, path: "{path}/{id}?force=true")
        }
        #expect(
            paths == [
                "issues.json", "issues/7.json", "issues.json/7?force=true",
                "issues/7.json?status_id=*",
            ]
        )
    }

    @Test func `an object that a query selects is read with the query of the list, too`() throws {
        for (path, read) in [
            ("things.php", "things.php?id=7"), ("things.php?all=1", "things.php?id=7&all=1"),
        ] {
            let urls = try urls(path, key: seven) {
                $0.update = PushStyle.Operation(.post, path: "{path}?id={key}")
            }
            #expect(urls[1...] == ["things.php?id=7", "things.php/7", read])
        }
    }

    @Test func `a key of several attributes is written part by part`() throws {
        let key = [
            WriteTarget.KeyPart(name: "store", value: "1"),
            WriteTarget.KeyPart(name: "number", value: "b/2"),
        ]
        #expect(
            try urls("badges", key: key) { $0.delete = .init(.delete, path: "b/{number}/{store}") }
                == ["badges", "badges/1/b%2F2", "b/b%2F2/1", "badges/1/b%2F2"]
        )
    }

    @Test func `a path may leave the URL of the service, but not its origin`() throws {
        #expect(
            try urls("things", key: seven) { $0.create = .init(.post, path: "../../batch") }[0]
                == "https://api.example.com/batch"
        )
        #expect(throws: RemoteError.self) {
            try urls("things", key: seven) {
                $0.create = .init(.post, path: "https://other.example.com/things")
            }
        }
    }
}
