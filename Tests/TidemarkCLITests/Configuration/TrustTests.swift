import Foundation
import HTTPTypes
import Testing
import TidemarkTesting

/// `tidemark trust`, which permits a configuration to read the variables that it names.
@Suite(.timeLimit(.minutes(40)))
struct TrustTests {
    private static let key = "k3y-do-not-show"

    /// Opens a shop whose configuration names a variable that it may not read.
    private func shop(_ body: (Shop, [String: String]) async throws -> Void) async throws {
        try await Shop.open { shop in
            try shop.configure(service: "headers: {X-Shop-Key: $SHOP_KEY}")
            let environment = [
                "SHOP_KEY": Self.key, "XDG_CONFIG_HOME": shop.folder.path("config"),
            ]
            try await body(shop, environment)
        }
    }

    private func expectRejection(
        _ shop: Shop,
        _ environment: [String: String],
        _ message: String,
        _ arguments: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        shop.fake.clearRequests()
        let outcome = try await shop.folder.run(["pull"] + arguments, environment: environment)
        #expect(outcome.status == 77, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.stderr.contains(message), "\(outcome)", sourceLocation: sourceLocation)
        #expect(shop.fake.requests.isEmpty, sourceLocation: sourceLocation)
    }

    private static let unknown = "references $SHOP_KEY, which it may not read."
    private static let changed = "references $SHOP_KEY, and has changed since you trusted it."

    @Test func `concurrent trust commands lose no entry`() async throws {
        let folder = try Folder()
        let names = (0..<8).map { "t\($0).yml" }
        for name in names {
            try folder.write(
                """
                store: s.sqlite
                service: {url: "http://127.0.0.1:9/", auth: {bearer: $SECRET}}
                resources: {User: {path: users/}}
                """,
                to: name
            )
        }
        let environment = ["XDG_CONFIG_HOME": folder.path("config")]
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for name in names {
                group.addTask {
                    try await folder.run("trust", "--yes", name, environment: environment)
                }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome)") }
        }
        let list = try folder.text(of: "config/tidemark/trusted")
        #expect(list.split(separator: "\n").count == names.count)
        #expect(names.allSatisfy { list.contains("/\($0)\n") })
    }

    @Test func `a trusted configuration may read its variables until trust is revoked`()
        async throws
    {
        try await shop { shop, environment in
            try await expectRejection(shop, environment, Self.unknown)
            let trust = try await shop.folder.done("trust", "--yes", environment: environment)
            #expect(trust.stdout == "tidemark.yml is trusted, as it is now.\n")
            let origin = shop.url.dropLast("/api/".count)
            #expect(
                trust.stderr == """
                    tidemark.yml reads from the environment, and sends to \(origin):
                      $SHOP_KEY in service.headers.X-Shop-Key

                    """
            )
            _ = try await shop.folder.done("pull", environment: environment)
            let name = try #require(HTTPField.Name("X-Shop-Key"))
            #expect(shop.fake.requests.allSatisfy { $0.request.headerFields[name] == Self.key })

            let revoked = try await shop.folder.done("trust", "--revoke", environment: environment)
            #expect(revoked.stdout == "tidemark.yml is trusted no longer.\n")
            try await expectRejection(shop, environment, Self.unknown)
            let again = try await shop.folder.done("trust", "--revoke", environment: environment)
            #expect(again.stdout == "tidemark.yml was not trusted.\n")
        }
    }

    @Test func `the list is private to the user and contains path and digest of a file`()
        async throws
    {
        try await shop { shop, environment in
            try shop.folder.write(
                "service: {url: 'https://a.example', auth: {bearer: $X}}\n",
                to: "t.yml"
            )
            _ = try await shop.folder.done("trust", "t.yml", "--yes", environment: environment)
            let list = shop.folder.path("config/tidemark/trusted")
            let attributes = try FileManager.default.attributesOfItem(atPath: list)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let lines = try shop.folder.text(of: "config/tidemark/trusted").split(separator: "\n")
            let path = URL(fileURLWithPath: shop.folder.path("t.yml")).resolvingSymlinksInPath()
                .path
            #expect(
                lines == [
                    "bf69cc76288cb3e50f726e237d9fc99e563475bc483796d246b0f5262d980635 \(path)"
                ]
            )
            let homeEnvironment = ["HOME": shop.folder.path("home"), "XDG_CONFIG_HOME": "relative"]
            _ = try await shop.folder.done("trust", "t.yml", "--yes", environment: homeEnvironment)
            #expect(shop.folder.has("home/.config/tidemark/trusted"))
        }
    }

    @Test func `without a terminal the user is not asked and nothing is trusted`() async throws {
        try await shop { shop, environment in
            let outcome = try await shop.folder.run(
                ["trust"],
                stdin: "yes\n",
                environment: environment
            )
            #expect(outcome.status == 77)
            #expect(
                outcome.stderr.hasSuffix(
                    "tidemark: Nothing was trusted. Use --yes to trust it without being asked.\n"
                )
            )
            #expect(!shop.folder.has("config"))
        }
    }

    @Test func `a file that has changed by a single space must be trusted again`() async throws {
        try await shop { shop, environment in
            _ = try await shop.folder.done("trust", "--yes", environment: environment)
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(text + " ", to: "tidemark.yml")
            try await expectRejection(shop, environment, Self.changed)
            try shop.folder.write(text, to: "tidemark.yml")
            _ = try await shop.folder.done("pull", environment: environment)
        }
    }

    @Test func `the same contents at another path are not trusted`() async throws {
        try await shop { shop, environment in
            _ = try await shop.folder.done("trust", "--yes", environment: environment)
            let text = try shop.folder.text(of: "tidemark.yml")
            try shop.folder.write(text, to: "cloned/tidemark.yml")
            try shop.folder.write(try shop.folder.text(of: "model.yml"), to: "cloned/model.yml")
            try await expectRejection(shop, environment, Self.unknown, "cloned/tidemark.yml")
        }
    }

    @Test func `a symbolic link is trusted only if its target is`() async throws {
        try await shop { shop, environment in
            let manager = FileManager.default
            try shop.folder.write(
                try shop.folder.text(of: "tidemark.yml").replacing("X-Shop-Key", with: "X-Evil"),
                to: "evil.yml"
            )
            try manager.createSymbolicLink(
                atPath: shop.folder.path("link.yml"),
                withDestinationPath: "tidemark.yml"
            )
            _ = try await shop.folder.done("trust", "link.yml", "--yes", environment: environment)
            _ = try await shop.folder.done("pull", environment: environment)
            try manager.removeItem(atPath: shop.folder.path("link.yml"))
            try manager.createSymbolicLink(
                atPath: shop.folder.path("link.yml"),
                withDestinationPath: "evil.yml"
            )
            try await expectRejection(shop, environment, Self.unknown, "link.yml")
        }
    }

    @Test func `a list that others can write, or that is a symbolic link, is rejected`()
        async throws
    {
        try await shop { shop, environment in
            _ = try await shop.folder.done("trust", "--yes", environment: environment)
            let list = shop.folder.path("config/tidemark/trusted")
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: list)
            try await expectRejection(shop, environment, "Others can write to \(list)")

            try FileManager.default.moveItem(atPath: list, toPath: shop.folder.path("mine"))
            try FileManager.default.createSymbolicLink(
                atPath: list,
                withDestinationPath: shop.folder.path("mine")
            )
            try await expectRejection(shop, environment, "\(list) is not a regular file")
            let outcome = try await shop.folder.run(["trust", "--yes"], environment: environment)
            #expect(outcome.status == 77)
        }
    }

    @Test func `a damaged list trusts nothing`() async throws {
        try await shop { shop, environment in
            try shop.folder.write("\u{0}\n \nabc\n\n", to: "config/tidemark/trusted")
            try await expectRejection(shop, environment, Self.unknown)
            try Data([0xFF, 0xFE]).write(
                to: shop.folder.url.appending(path: "config/tidemark/trusted")
            )
            let outcome = try await shop.folder.run(["pull"], environment: environment)
            #expect(outcome.status == 65)
            #expect(outcome.stderr.contains("trusted is not a text in UTF-8."))
            #expect(shop.fake.requests.isEmpty)
        }
    }

    @Test func `a configuration without variables needs no trust, and an invalid one gets none`()
        async throws
    {
        try await shop { shop, environment in
            try shop.folder.write("service: {url: 'https://a.example'}\n", to: "plain.yml")
            let outcome = try await shop.folder.done(
                "trust",
                "plain.yml",
                "--format",
                "json",
                environment: environment
            )
            #expect(try outcome.json()["status"] == "unknown")
            #expect(try outcome.json()["names"] == [])
            #expect(!shop.folder.has("config"))
            try await InvalidCommand(
                "trust",
                "none.yml",
                status: 66,
                "There is no configuration at none.yml. Name one, or write tidemark.yml."
            )
            .check(in: shop.folder)
            try shop.folder.write("service: {url: nowhere, auth: {bearer: $X}}", to: "bad.yml")
            try await InvalidCommand(
                "trust",
                "bad.yml",
                "--yes",
                status: 65,
                "service.url: invalid URL nowhere: expected http:// or https://, a host, and a port up to 65535, if any."
            )
            .check(in: shop.folder)
        }
    }
}
