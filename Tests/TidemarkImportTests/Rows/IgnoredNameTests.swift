import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Members of objects that the model ignores or does not contain.
struct IgnoredNameTests {
    private static let document = """
        [{"id": 1, "a": 1, "b": {"c": 1, "d": 2, "e": 3}, "size": {"w": 1, "h": 2}}]
        """

    private func unknown(_ ignored: [String]) throws -> [String] {
        let store = try Store.of(
            EntityDescription(
                "Base",
                attributes: [Attribute("id", .integer64)],
                ignoredKeys: ignored
            ),
            EntityDescription(
                "Part",
                parent: "Base",
                attributes: [
                    Attribute("c", .integer64, remoteKey: "b.c"),
                    Attribute("w", .integer64, remoteKey: "size.w"),
                ],
                ignoredKeys: ["size.h"]
            )
        )
        let report = try store.report("Part", Self.document)
        #expect(report.entities == ["Part": .init(inserted: 1)])
        return report.diagnostics.compactMap(\.path)
    }

    @Test func `another spelling of a name is found after any number of unknown names`() throws {
        let store = try Store.of(.named("User", [Attribute("imageURL", .string)]))
        let unknown = (0..<1_500).map { #""unknown\#($0)": 1"# }.joined(separator: ", ")
        _ = try store.report("User", #"[{"id": 1, \#(unknown), "Image_URL": "a.png"}]"#)
        let record = try store.read { db in try db.record(RecordLocator("User:1")) }
        #expect(record["imageURL"] == .string("a.png"))
    }

    @Test(
        arguments: [
            ([], ["a", "b.d", "b.e"]), (["a"], ["b.d", "b.e"]), (["b.d"], ["a", "b.e"]),
            (["b"], ["a"]), (["a", "b"], []), (["*"], []), (["b.c", "x"], ["a", "b.d", "b.e"]),
        ] as [([String], [String])]
    )
    func `members that the model ignores are not reported, nor are those nested in them`(
        _ ignored: [String],
        _ reported: [String]
    ) throws {
        try #expect(unknown(ignored) == reported)
    }

    @Test func `an attribute with an ignored name is still imported`() throws {
        let store = try Store.of(
            EntityDescription(
                "Part",
                attributes: [Attribute("id", .integer64), Attribute("name", .string)],
                ignoredKeys: ["name", "*"]
            )
        )
        try store.load("Part", #"[{"id": 1, "name": "a", "x": 1}]"#)
        try expect(
            table(of: store),
            is: """
                Part
                #  id  name
                1  1   a
                """
        )
    }
}

extension ImportReport.Counts {
    fileprivate init(inserted: Int) {
        self.init()
        self.inserted = inserted
    }
}
