import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkTesting

@testable import TidemarkRemote

/// Secrets in the queries of configured paths.
struct HiddenValueTests {
    private var service = RemoteFixture().service

    /// Hides the secrets in paths, and returns the paths.
    private mutating func hide(_ paths: String...) -> [String] {
        var resources = paths.map { service.resource("Thing", path: $0) }
        service.hideSecrets(in: &resources)
        return resources.map(\.path)
    }

    /// Returns the URL to which a path is sent.
    private func sent(_ path: String) throws -> String {
        let url = try service.url(of: service.resource("Thing", path: path))
        let sealed = service.withoutSecrets(url)
        #expect(service.withoutSecrets(sealed) == sealed)
        return service.secrets.opened(sealed).absoluteString
            .replacing(RemoteFixture.address, with: "")
    }

    @Test(arguments: [
        ("things?api_key=abc", "things?api_key=***api_key***"),
        ("things?a=b&token=x%2By&c", "things?a=b&token=***token***&c"),
        ("things?ticket=open", "things?ticket=***ticket***"),
        // The value occurs in the path, in the name, and in the placeholder.
        ("tickets?ticket=ticket", "tickets?ticket=***ticket***"),
        ("things?token=abc&session=abc", "things?token=***token***&session=***session***"),
    ])
    func `a secret is a placeholder, and is sent`(_ path: String, _ hidden: String) throws {
        var tests = self
        #expect(tests.hide(path) == [hidden])
        #expect(try tests.sent(hidden) == path)
    }

    @Test(arguments: [
        "things", "things?", "things?a=b", "things?token", "things?token=", "things?key={key}",
        #"_all_docs?startkey=%22a%22&endkey=%22b%22"#, #"_all_docs?startkey=["a",1]"#,
        "Products?$filter=Price%20gt%205&$top=10", "things/token=abc",
    ])
    func `everything else is left as it is`(_ path: String) {
        var tests = self
        #expect(tests.hide(path) == [path])
        #expect(tests.service.hiddenValues.isEmpty)
    }

    @Test func `lists that differ in a secret stay apart, whatever their order is`() throws {
        var tests = self
        let paths = ["a?ticket=open", "a?ticket=closed", "a?ticket=open&b=c"]
        #expect(
            tests.hide(paths[0], paths[1], paths[2]) == [
                "a?ticket=***ticket.2***", "a?ticket=***ticket***", "a?ticket=***ticket.2***&b=c",
            ]
        )
        var others = self
        #expect(
            others.hide(paths[1], paths[0]) == ["a?ticket=***ticket***", "a?ticket=***ticket.2***"]
        )
        // Once more, for lists that are added later.
        #expect(
            tests.hide("a?ticket=***ticket***", "a?ticket=new") == [
                "a?ticket=***ticket***", "a?ticket=***ticket.3***",
            ]
        )
        #expect(try tests.sent("a?ticket=***ticket.3***") == "a?ticket=new")
    }

    @Test func `the paths of changes, files and batches are hidden, too`() throws {
        var service = service
        var resource = service.resource("Thing", path: "things")
        resource.push = .rest
        resource.push.create?.path = "things?token=abcd"
        resource.push.update?.path = "things/{key}?token=abcd"
        resource.push.delete?.path = "{path}/{key}?token=abcd"
        resource.push.reading.operation = PushStyle.Operation(.get, path: "x/{key}?token=abcd")
        resource.push.body.uploads = PushStyle.Upload(.put, path: "f/{name}?token=abcd", url: ["u"])
        resource.push.batch = PushStyle.Batch(.parse, path: "batch?token=abcd", limit: 5)
        var resources = [resource]
        service.hideSecrets(in: &resources)
        #expect(
            resources[0].paths == [
                "things", "things?token=***token***", "things/{key}?token=***token***",
                "{path}/{key}?token=***token***", "x/{key}?token=***token***",
                "f/{name}?token=***token***", "batch?token=***token***",
            ]
        )
    }

    @Test func `a variable keeps its name, whatever its value is`() throws {
        var tests = self
        tests.service.hide(variable: "TIDEMARK_KEY", value: "a+b/c=")
        tests.service.hide(variable: "TIDEMARK_KEY_2", value: "x")
        let path = "things?api_key=$TIDEMARK_KEY&b=$TIDEMARK_KEY_2&c=$KEEP"
        #expect(tests.hide(path) == [path])
        #expect(try tests.sent(path) == "things?api_key=a%2Bb%2Fc%3D&b=x&c=$KEEP")
        // The service repeats it.
        let next = try #require(
            URL(string: "\(RemoteFixture.address)things?api_key=a%2Bb/c=&page=2")
        )
        #expect(
            tests.service.withoutSecrets(next).absoluteString
                == "\(RemoteFixture.address)things?api_key=$TIDEMARK_KEY&page=2"
        )
    }

    @Test func `requests, links and messages contain a placeholder`() async throws {
        var fixture = RemoteFixture()
        fixture.limits.http.attempts = 1
        fixture.service.hide(variable: "TIDEMARK_KEY", value: "hush-hush")
        let stub = StubTransport(#"{"results": [], "next": "/v1/things?key=hush-hush&page=2"}"#)
        let page = try await fixture.first("things?key=$TIDEMARK_KEY", stub)
        #expect(stub.requests.map(\.path) == ["/v1/things?key=hush-hush"])
        #expect(
            page.metadata.next?.url?.absoluteString
                == "\(RemoteFixture.address)things?key=$TIDEMARK_KEY&page=2"
        )
        let rejecting = StubTransport(#"{"detail": "No key hush-hush."}"#, status: 400)
        let failure = await fixture.failure("things?key=$TIDEMARK_KEY", rejecting)
        #expect(failure?.message.contains("hush-hush") == false)
        #expect(failure?.message.contains("No key ***.") == true)
    }

    @Test func `the changes in a batch have the secrets of their paths`() async throws {
        var fixture = RemoteFixture()
        fixture.service.hide(variable: "TIDEMARK_KEY", value: "hush-hush")
        let recorder = BodyRecorder()
        let url = try #require(
            URL(string: "\(RemoteFixture.address)things/7?key=$TIDEMARK_KEY")
        )
        _ = try await fixture.remote(recorder).write(
            [WriteRequest(.delete, url: url)],
            in: PushStyle.Batch(.parse, path: "batch?key=$TIDEMARK_KEY", limit: 5)
        )
        #expect(recorder.paths.withLock { $0 } == ["/v1/batch?key=hush-hush"])
        #expect(
            recorder.bodies.withLock { $0 } == [
                #"{"requests":[{"method":"DELETE","path":"/v1/things/7?key=hush-hush"}]}"#
            ]
        )
    }
}

/// A transport that records the bodies of requests.
private struct BodyRecorder: Transport {
    let paths = Locked<[String]>([])
    let bodies = Locked<[String]>([])

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        paths.withLock { $0.append(request.path ?? "") }
        bodies.withLock { $0.append(String(decoding: body ?? [], as: UTF8.self)) }
        return TransportResponse(to: request, head: HTTPResponse(status: .ok))
    }
}
