import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

/// What a service is sent and nobody else is told.
struct SecretsTests {
    private static func fixture() -> RemoteFixture {
        var fixture = RemoteFixture()
        fixture.service.query = [QueryItem("app", "hush-hush")]
        fixture.service.headers[.authorization] = "Bearer t0psecret"
        fixture.limits.attempts = 1
        return fixture
    }

    @Test func `what every URL carries is sent, and stands in no address of a page`() async throws {
        let transport = StubTransport(
            #"{"results": [], "next": "/v1/things?app=hush-hush&page=2"}"#
        )
        let page = try await Self.fixture().first("things", transport)
        #expect(transport.requests.map(\.path) == ["/v1/things?app=hush-hush"])
        #expect(page.facts.next?.url?.absoluteString == "https://api.example.com/v1/things?page=2")
    }

    @Test(arguments: [
        #"{"error": "No app hush-hush, and no token t0psecret."}"#, "hush-hush t0psecret",
    ])
    func `a service that says what it was sent is not quoted so far`(_ words: String) async throws {
        let transport = StubTransport(words, status: 403)
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(!"\(failure)".contains("hush-hush"))
        #expect(!"\(failure)".contains("t0psecret"))
        #expect("\(failure)".contains("***"))
    }

    /// A name of a parameter, and whether its value is shown.
    @Test(arguments: [
        ("author", true), ("authority", true), ("authored_by", true), ("category", true),
        ("keyword", true), ("codec", true), ("page", true), ("page_size", true),
        ("auth", false), ("Auth", false), ("auth_user", false), ("userAuth", false),
        ("x-auth", false), ("x%2Dauth", false), ("oauth", false), ("authorization", false),
        ("access_token", false), ("accessToken", false), ("apikey", false), ("api_key", false),
        ("client%5Fsecret", false), ("X-Amz-Signature", false), ("jwt", false), ("code", false),
        ("sessionid", false), ("key", false), ("bearer", false), ("sid", false),
        ("PHPSESSID", false),
        ("otp", false), ("ticket", false), ("appid", false), ("app_id", false), ("pin", false),
        ("ticket_id", true), ("side", true), ("sides", true), ("pinned", true), ("encoding", true),
        ("hmac", false), ("connect.sid", false), ("SAMLResponse", false), ("passphrase", false),
    ])
    func `values of parameters are shown, but for secrets`(
        _ name: String,
        _ isShown: Bool
    ) throws {
        let url = try #require(URL(string: "https://a.example/?\(name)=v4lue&x=y"))
        #expect(url.shown == "https://a.example/?\(name)=\(isShown ? "v4lue" : "***")&x=y")
    }

    @Test func `an error of a transport names the address without them`() async throws {
        let transport = StubTransport { request in
            throw RemoteError(.unavailable, "GET https://api.example.com\(request.path ?? ""): no.")
        }
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(failure.message == "GET https://api.example.com/v1/things: no.")
    }

    @Test func `a body that breaks is told without them`() async throws {
        let transport = StubTransport { request in
            TransportResponse(
                to: request,
                head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
                body: ResponseBody {
                    throw RemoteError(
                        .truncated,
                        "GET https://api.example.com\(request.path ?? ""): cut."
                    )
                }
            )
        }
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(failure.message == "GET https://api.example.com/v1/things: cut.")
    }

    @Test func `a redirect to an address that has them is told without them`() async throws {
        let transport = StubTransport { request in
            guard request.path?.hasPrefix("/v1/things") == true else {
                return TransportResponse(to: request, head: HTTPResponse(status: .forbidden))
            }
            return TransportResponse(
                to: request,
                head: HTTPResponse(
                    status: .found,
                    headerFields: [.location: "/elsewhere?app=hush-hush"]
                )
            )
        }
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(failure.message == "GET https://api.example.com/elsewhere was answered 403.")
    }
}
