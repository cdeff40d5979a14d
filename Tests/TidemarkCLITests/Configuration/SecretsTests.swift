import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// Secrets are sent to the service that they belong to, and neither printed nor stored.
@Suite(.timeLimit(.minutes(40)))
struct SecretsTests {
    private static let key = "k3y-do-not-show"
    private static let token = "t0ken-do-not-show"
    private static let environment = ["TIDEMARK_KEY": key, "TIDEMARK_TOKEN": token]
    private static let fields = """
        headers: {X-Shop-Key: $TIDEMARK_KEY, X-Plain: "a $ b"}
          auth: {bearer: $TIDEMARK_TOKEN}
        """

    private func values(of name: String, in fake: FakeService) -> Set<String?> {
        let name = HTTPField.Name(name)
        return Set(
            fake.requests.map { request in name.flatMap { request.request.headerFields[$0] } }
        )
    }

    @Test func `header fields and credentials are read from environment variables`() async throws {
        try await Shop.open { shop in
            try shop.configure(service: Self.fields)
            _ = try await shop.folder.done("pull", environment: Self.environment)
            #expect(shop.fake.requests.count == 4)
            #expect(values(of: "X-Shop-Key", in: shop.fake) == [Self.key])
            #expect(values(of: "X-Plain", in: shop.fake) == ["a $ b"])
            #expect(values(of: "Authorization", in: shop.fake) == ["Bearer \(Self.token)"])
        }
    }

    @Test func `a configured header field replaces that of the preset`() async throws {
        try await Shop.open { shop in
            for preset in ["jsonapi", "rest"] {
                shop.fake.clearRequests()
                try shop.configure(
                    service:
                        "preset: \(preset)\n  headers: {accept: application/json, user-agent: a}"
                )
                _ = try await shop.folder.run("pull", "--store", "\(preset).db")
                #expect(values(of: "Accept", in: shop.fake) == ["application/json"])
                #expect(values(of: "User-Agent", in: shop.fake) == ["a"])
            }
        }
    }

    @Test func `a user and a password are sent as HTTP Basic authentication`() async throws {
        try await Shop.open { shop in
            try shop.configure(service: "auth: {basic: {user: ann, password: $TIDEMARK_TOKEN}}")
            _ = try await shop.folder.done("pull", environment: Self.environment)
            let pair = Data("ann:\(Self.token)".utf8).base64EncodedString()
            #expect(values(of: "Authorization", in: shop.fake) == ["Basic \(pair)"])
        }
    }

    @Test func `a store belongs to the user in a variable and does not contain the name`()
        async throws
    {
        let basic = "auth: {basic: {user: 'shop-$TIDEMARK_USER', password: $TIDEMARK_TOKEN}}"
        func environment(_ user: String, _ token: String = Self.token) -> [String: String] {
            ["TIDEMARK_USER": user, "TIDEMARK_TOKEN": token]
        }
        try await Shop.open { shop in
            try shop.configure(service: basic)
            _ = try await shop.folder.done("pull", environment: environment("ann-do-not-show"))
            let before = try await shop.dump()
            shop.fake.clearRequests()
            for (command, user) in [("pull", "bob-do-not-show"), ("verify", "")] {
                let outcome = try await shop.folder.run(command, environment: environment(user))
                #expect(outcome.status == 77, "\(outcome)")
                #expect(outcome.stderr.contains("The store belongs to the account basic:"))
                #expect(!"\(outcome)".contains("do-not-show"))
            }
            #expect(shop.fake.requests.isEmpty)
            #expect(try await shop.dump() == before)
            _ = try await shop.folder.done(
                "pull",
                environment: environment("ann-do-not-show", "t2")
            )
            for name in try shop.folder.names() {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: name))
                #expect(bytes.range(of: Data("do-not-show".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("user: ann, password: p", " as ann"), ("user: 'us$ 5', password: p", " as us$ 5"),
        ("user: $TIDEMARK_USER, password: p", " as basic:49915e0d7d4b"),
        ("user: ann, password: ''", " as basic:49915e0d7d4b"),
    ])
    func `an account is a literal user name, or a digest of one that may be secret`(
        _ user: String,
        _ account: String
    ) async throws {
        try await Shop.open { shop in
            try shop.configure(service: "auth: {basic: {\(user)}}")
            _ = try await shop.folder.done("pull", environment: ["TIDEMARK_USER": "ann"])
            let status = try await shop.folder.done("status")
            #expect(status.lines.first?.hasSuffix("\(account).") == true, "\(status)")
        }
    }

    @Test(
        arguments: [nil, .status(401), .status(500), .html, .connectionClosed, .cyclicNextLink]
            as [FakeFault?]
    )
    func `no secret is printed or stored, even if the pull fails`(
        _ fault: FakeFault?
    ) async throws {
        try await Shop.open { shop in
            try shop.configure(service: Self.fields)
            if let fault { shop.fake.inject(fault) }
            for format in ["text", "json"] {
                let outcome = try await shop.folder.run(
                    "pull",
                    "--format",
                    format,
                    environment: Self.environment
                )
                #expect((outcome.status == 0) == (fault == nil))
                for secret in [Self.key, Self.token] {
                    #expect(!"\(outcome)".contains(secret))
                }
            }
            for name in try shop.folder.names() where name != "tidemark.yml" {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: name))
                #expect(bytes.range(of: Data("do-not-show".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `credentials in the URL are sent and not printed`() async throws {
        try await Shop.open { shop in
            shop.fake.inject(.status(500))
            let address = shop.url.replacing("http://", with: "http://ann:s3cret@")
            try shop.configure(url: address)
            let outcome = try await shop.folder.run("pull")
            #expect(outcome.status == 69)
            #expect(!"\(outcome)".contains("s3cret"))
            let pair = Data("ann:s3cret".utf8).base64EncodedString()
            #expect(values(of: "Authorization", in: shop.fake) == ["Basic \(pair)"])
        }
    }

    @Test(arguments: ["sk_key", "sk_key:"])
    func `a user without a password is a secret that is neither stored nor printed`(
        _ credentials: String
    ) async throws {
        try await Shop.open { shop in
            let url = shop.url.replacing("http://", with: "http://\(credentials)@")
            try shop.configure(url: url)
            let pull = try await shop.folder.done("pull")
            let status = try await shop.folder.done("status")
            #expect(status.lines.first?.contains(" as basic:") == true, "\(status)")
            let direct = try await shop.folder.done("pull", "\(url)books/", "--into", "direct.db")
            #expect(!"\(pull)\(status)\(direct)".contains("sk_key"))
            for name in try shop.folder.names() where name != "tidemark.yml" {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: name))
                #expect(bytes.range(of: Data("sk_key".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `a store belongs to the user in the URL and does not contain the password`()
        async throws
    {
        try await Shop.open { shop in
            func configure(_ credentials: String, _ service: String = "") throws {
                let url = shop.url.replacing("http://", with: "http://\(credentials)@")
                try shop.configure(service: service, url: url)
            }
            try configure("a%20nn:s3cret")
            _ = try await shop.folder.done("pull")
            let status = try await shop.folder.done("status")
            #expect(status.lines.first?.hasSuffix(" as a nn.") == true, "\(status)")
            for name in try shop.folder.names() where name != "tidemark.yml" {
                let bytes = try Data(contentsOf: shop.folder.url.appending(path: name))
                #expect(bytes.range(of: Data("s3cret".utf8)) == nil, "\(name)")
            }
            try configure("a%20nn:an0ther")
            _ = try await shop.folder.done("pull")
            let before = try await shop.dump()
            shop.fake.clearRequests()
            for (credentials, service, account) in [
                ("bob:s3cret", "", "as bob"), (":s3cret", "", "without an account"),
                ("a%20nn:s3cret", "auth: {bearer: t}", "without an account"),
                ("a%20nn:s3cret", "headers: {authorization: t}", "without an account"),
                ("a%20nn:s3cret", "auth: {basic: {user: bob, password: p}}", "as bob"),
            ] {
                try configure(credentials, service)
                let outcome = try await shop.folder.run("pull")
                #expect(outcome.status == 77, "\(outcome)")
                let message =
                    "The store belongs to the account a nn, and this pull signs in \(account)."
                #expect(outcome.stderr.contains(message), "\(outcome)")
                #expect(!"\(outcome)".contains("s3cret"))
            }
            #expect(shop.fake.requests.isEmpty)
            #expect(try await shop.dump() == before)
        }
    }

    @Test(arguments: [
        ("ann:s3cret@127.0.0.1/", "…@127.0.0.1/"), ("127.0.0.1/?token=s3cret", "127.0.0.1/"),
    ])
    func `an invalid URL is reported without its password`(
        _ url: String,
        _ shown: String
    ) async throws {
        try await Shop.open { shop in
            try shop.configure(url: url)
            try await InvalidCommand(
                "pull",
                status: 65,
                "service.url: invalid URL \(shown): expected http:// or https://, a host, and a port "
                    + "up to 65535, if any."
            )
            .check(in: shop.folder)
        }
    }

    @Test(arguments: ["HOME", "SHOP_KEY", "tidemark_key"])
    func `a variable that may not be read is an error, and nothing is requested`(
        _ name: String
    ) async throws {
        try await Shop.open { shop in
            try shop.configure(service: "headers: {X-Shop-Key: $\(name)}")
            let outcome = try await shop.folder.run(
                "pull",
                environment: ["SHOP_KEY": Self.key, "tidemark_key": Self.key]
            )
            #expect(outcome.status == 77)
            #expect(
                outcome.stderr == """
                    tidemark: The configuration references $\(name), which it may not read. \
                    Allow it by TIDEMARK_ENV=\(name), or use tidemark trust.

                    """
            )
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `a variable that TIDEMARK_ENV allows is read`() async throws {
        try await Shop.open { shop in
            try shop.configure(service: "headers: {X-Shop-Key: 'v1 $SHOP_KEY'}")
            _ = try await shop.folder.done(
                "pull",
                environment: ["SHOP_KEY": Self.key, "TIDEMARK_ENV": "OTHER,SHOP_KEY"]
            )
            #expect(values(of: "X-Shop-Key", in: shop.fake) == ["v1 \(Self.key)"])
        }
    }

    @Test func `a variable that is not set is an error, and nothing is requested`() async throws {
        try await Shop.open { shop in
            try shop.configure(service: "headers: {X-Shop-Key: $TIDEMARK_KEY}")
            try await InvalidCommand(
                "pull",
                status: 64,
                "$TIDEMARK_KEY is not set. The configuration needs it."
            )
            .check(in: shop.folder)
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `variables are not replaced in the path of the URL`() async throws {
        try await Shop.open { shop in
            try shop.configure(url: shop.url + "$TIDEMARK_KEY/")
            let outcome = try await shop.folder.run("pull", environment: Self.environment)
            #expect(outcome.status == 66)
            #expect(!outcome.stderr.contains(Self.key))
            #expect(shop.fake.requests.allSatisfy { $0.request.path?.contains(Self.key) != true })
        }
    }
}
