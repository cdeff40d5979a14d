import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Objects that one list embeds and their own list omits.
struct EmbeddedObjectTests {
    private static let model = Model {
        EntityDescription("Issue") {
            Attribute("id", .integer64)
            Relationship("author", to: "User", inverse: "issues")
        }
        EntityDescription("User") {
            Attribute("id", .integer64)
            Attribute("name", .string)
            Attribute("mail", .string)
            Relationship("issues", to: "Issue", isToMany: true, inverse: "author")
        }
    }

    @Test(arguments: [1, 4], [["issues", "users"], ["users", "issues"]])
    func `embedded objects are unchanged after the first pull, in any order of lists`(
        _ concurrency: Int,
        _ order: [String]
    ) async throws {
        let paths = ["issues": "Issue", "users": "User"]
        let mirror = try ScriptedMirror(model: Self.model, order: order, paths)
        mirror.service["/issues"] = """
            [{"id": 1, "author": {"id": 1, "name": "Ada"}}, {"id": 2, "author": {"id": 9, "name": "Bob"}}]
            """
        mirror.service["/users"] = #"[{"id": 1, "mail": "ada@x"}, {"id": 2, "mail": "eve@x"}]"#
        _ = try await mirror.engine(concurrency: concurrency).pull()
        let state = try table(of: mirror.store)
        #expect(try mirror.count("User") == 2, "\(state)")
        for _ in 0..<2 {
            let report = try await mirror.engine(concurrency: concurrency).pull()
            #expect(report.total.changedRows == 0)
            #expect(try table(of: mirror.store) == state)
        }
        #expect(try await mirror.engine(concurrency: concurrency).verify().matches)
    }
}

extension ScriptedMirror {
    fileprivate init(model: Model, order: [String], _ entities: [String: String]) throws {
        try self.init(model, order.map { (entities[$0] ?? "", $0) })
    }
}
