import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

/// Secrets, which are sent to the service and hidden everywhere else.
struct SecretsTests {
    private static func fixture() -> RemoteFixture {
        var fixture = RemoteFixture()
        fixture.service.query = [QueryItem("app", "hush-hush")]
        fixture.service.headers[.authorization] = "Bearer t0psecret"
        fixture.limits.http.attempts = 1
        return fixture
    }

    @Test func `the query of a service is sent, and removed from page URLs`() async throws {
        let transport = StubTransport(
            #"{"results": [], "next": "/v1/things?app=hush-hush&page=2"}"#
        )
        let page = try await Self.fixture().first("things", transport)
        #expect(transport.requests.map(\.path) == ["/v1/things?app=hush-hush"])
        #expect(
            page.metadata.next?.url?.absoluteString == "https://api.example.com/v1/things?page=2"
        )
    }

    @Test(arguments: [
        #"{"error": "No app hush-hush, and no token t0psecret."}"#, "hush-hush t0psecret",
    ])
    func `secrets are hidden in the message of the service`(_ message: String) async throws {
        let transport = StubTransport(message, status: 403)
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(!"\(failure)".contains("hush-hush"))
        #expect(!"\(failure)".contains("t0psecret"))
        #expect("\(failure)".contains("***"))
    }

    /// The name of a query parameter, and whether its value is shown.
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
    func `values of query parameters are shown, except for secrets`(
        _ name: String,
        _ isShown: Bool
    ) throws {
        let url = try #require(URL(string: "https://a.example/?\(name)=v4lue&x=y"))
        #expect(url.shown == "https://a.example/?\(name)=\(isShown ? "v4lue" : "***")&x=y")
    }

    @Test func `an error of a transport contains the URL without secrets`() async throws {
        let transport = StubTransport { request in
            throw RemoteError(
                .connectionFailed,
                "GET https://api.example.com\(request.path ?? ""): no."
            )
        }
        let failure = try #require(await Self.fixture().failure("things", transport))
        #expect(failure.message == "GET https://api.example.com/v1/things: no.")
    }

    @Test func `an error in a body contains the URL without secrets`() async throws {
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

    @Test func `an error after a redirect contains the URL without secrets`() async throws {
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
        #expect(failure.message == "GET https://api.example.com/elsewhere returned 403.")
    }
}
