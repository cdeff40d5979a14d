import Foundation
import HTTPTypes
import Testing
import TidemarkModel

@testable import TidemarkRemote

/// The request for objects that equal one that was sent.
struct ObjectQueryTests {
    private func url(
        like body: String,
        _ configure: (inout PushStyle) -> Void = { _ in }
    ) throws -> String? {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Task", path: "tasks")
        resource.push = .rest
        resource.push.reconcile = .query(parameter: "external_id")
        configure(&resource.push)
        return try fixture.remote(StubTransport(""))
            .request(forObjectsLike: Array(body.utf8), in: resource)?.url?.absoluteString
    }

    @Test func `the condition is the member of the object that was sent`() throws {
        let query = try url(like: #"{"external_id":"x1","title":"a"}"#)
        #expect(query?.contains("external_id=x1") == true)
    }

    @Test func `the object is where the request for a creation had it`() throws {
        let body = #"{"row":{"external_id":"x1"},"return":true}"#
        let query = try url(like: body) { style in
            style.create = .init(.post)
            style.create?.wrapper = .member("row")
        }
        #expect(query?.contains("external_id=x1") == true)
        #expect(try url(like: body) == nil)
    }

    @Test(arguments: ["", "[", #"{"title":"a"}"#, #"{"external_id":{}}"#])
    func `a body without the member selects nothing`(body: String) throws {
        #expect(try url(like: body) == nil)
    }
}
