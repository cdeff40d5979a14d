import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Members whose names contain dots, which key paths have in quotation marks.
struct DottedNameTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Thing",
            attributes: [
                Attribute("id", .integer64, remoteKey: #""thing.id""#),
                Attribute("etag", .string, remoteKey: #""@odata.etag""#),
                Attribute("inner", .string, remoteKey: #"meta."x.y".z"#),
                Attribute("path", .string, remoteKey: "com.x"),
                Attribute("name", .string, remoteKey: #""com.x""#),
                Attribute("quoted", .string, remoteKey: #""""q.r""#),
                Attribute("plain", .string, remoteKey: #""plain""#),
            ],
            relationships: [
                Relationship(
                    "owner",
                    to: "Thing",
                    inverse: "owned",
                    remoteKey: #""owner@odata.bind""#
                ),
                Relationship("owned", to: "Thing", isToMany: true, inverse: "owner"),
                Relationship(
                    "tags",
                    to: "Tag",
                    isToMany: true,
                    inverse: "things",
                    referenceKeys: [#""tag.ids""#]
                ),
            ],
            ignoredKeys: [#""@odata.context""#, #"meta."v.w""#]
        ),
        EntityDescription(
            "Tag",
            attributes: [Attribute("id", .integer64)],
            relationships: [
                Relationship("things", to: "Thing", isToMany: true, inverse: "tags")
            ]
        ),
    ])

    private static let things = """
        [{"thing.id": 1, "@odata.etag": "W/1", "meta": {"x.y": {"z": "i"}}, "com": {"x": "p"},
          "com.x": "n", "\\"q.r": "q", "plain": "l", "owner@odata.bind": null, "tag.ids": [7]},
         {"thing.id": 2, "@odata.etag": null, "owner@odata.bind": {"thing.id": 1}, "com.x": "m"}]
        """

    private static let cells = """
        Thing
        id  etag  inner  path  name  quoted  plain  owner  owned  tags
        1   W/1   i      p     n     q       l      -      [2]    [7]
        2   -     -      -     m     -       -      1      []     []
        """

    private func state(_ store: Store) throws -> [[Substring]] {
        try table(of: store, "Thing").split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true)
        }
    }

    private static var expected: [[Substring]] {
        cells.split(separator: "\n").map { $0.split(separator: " ") }
    }

    @Test func `a name in quotation marks is one member, in any step of a path`() throws {
        let store = try Store.validated(model: Self.model)
        try store.load("Tag", #"[{"id": 7}]"#)
        let report = try store.report("Thing", Self.things)
        #expect(report.diagnostics == [])
        let actual = try state(store)
        #expect(
            actual.dropFirst(2).map { $0.dropFirst() } == Self.expected.dropFirst(2).map { $0[...] }
        )
        #expect(try store.report("Thing", Self.things).isUnchanged)
    }

    @Test func `what is exported has the names, and is imported again`() throws {
        let store = try Store.validated(model: Self.model)
        try store.load("Tag", #"[{"id": 7}]"#)
        try store.load("Thing", Self.things)
        let text = try store.export("Thing", ExportOptions(relationships: .ids))
        for name in [
            #""thing.id":1"#, #""@odata.etag":"W/1""#, #""meta":{"x.y":{"z":"i"}}"#,
            #""com":{"x":"p"}"#, #""com.x":"n""#, #""\"q.r":"q""#, #""plain":"l""#,
            #""tag.ids":[7]"#,
        ] {
            #expect(text.contains(name), "\(text)")
        }
        let copy = try Store.validated(model: Self.model)
        try copy.load("Tag", #"[{"id": 7}]"#)
        try copy.load("Thing", text)
        #expect(try table(of: copy) == table(of: store))
    }

    @Test func `a diagnostic shows such a name as a key path has it`() throws {
        let store = try Store.validated(model: Self.model)
        let report = try store.report(
            "Thing",
            #"[{"thing.id": 1, "@odata.etag": [], "@odata.type": 1, "meta": {"a.b": 1, "v.w": 2}, "#
                + #""@odata.context": "c"}]"#
        )
        #expect(
            Set(report.diagnostics.compactMap(\.path))
                == [#""@odata.type""#, #"meta."a.b""#, #""@odata.etag""#]
        )
    }

    @Test func `a name with dots and a path are not confused`() throws {
        let model = Model(entities: [
            EntityDescription(
                "Thing",
                attributes: [
                    Attribute("id", .integer64), Attribute("etag", .string, remoteKey: "a.b"),
                    Attribute("other", .string, remoteKey: #""c.d""#),
                ]
            )
        ])
        let store = try Store.validated(model: model)
        let report = try store.report("Thing", #"[{"id": 1, "a.b": "x", "c": {"d": "y"}}]"#)
        #expect(report.diagnostics.compactMap(\.path).sorted() == [#""a.b""#, "c"])
        let row = try store.read { try $0.record(RecordLocator("Thing:1")) }
        #expect(row["etag"] == .null && row["other"] == .null)
    }

    @Test func `the type of an object may be in such a member`() throws {
        let model = Model(entities: [
            EntityDescription(
                "Base",
                attributes: [Attribute("id", .integer64)],
                discriminator: #""@odata.type""#
            ),
            EntityDescription("Part", parent: "Base", attributes: []),
        ])
        let store = try Store.validated(model: model)
        let report = try store.report("Base", ##"[{"id": 1, "@odata.type": "#Svc.Part"}]"##)
        #expect(report.diagnostics == [])
        #expect(report.entities["Part"]?.inserted == 1)
        let text = try store.export("Base", ExportOptions(relationships: .ids))
        #expect(text.contains(#""@odata.type":"Part""#), "\(text)")
    }
}
