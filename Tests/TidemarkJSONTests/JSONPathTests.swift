import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

/// The text of a path, and where it leads.
struct JSONPathTests {
    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a.b.0", ["a", "b", "0"]), ("a..b", ["a", "", "b"]),
            (".", ["", ""]), (#""@odata.etag""#, ["@odata.etag"]),
            (#"meta."a.b".c"#, ["meta", "a.b", "c"]), (#""a""b.c""#, [#"a"b.c"#]),
            (#""""#, [""]), (#""a.b"#, [#""a"#, "b"]), (#""a"b.c"#, [#""a"b"#, "c"]),
            (#"a"b.c"#, [#"a"b"#, "c"]),
        ] as [(String, [String])]
    )
    func `a name in quotation marks may contain dots`(text: String, names: [String]) {
        #expect(JSONPath(text).names == names)
    }

    @Test(arguments: [
        [], ["a", "b"], ["@odata.etag"], ["a.b", "c", "0"], [#"a"b.c"#], [""], ["", ""], [#""a"#],
        [#"""#], [#"".""#],
    ])
    func `the description of a path is read as the same path`(names: [String]) {
        #expect(JSONPath(JSONPath(names).description).names == names)
    }

    private static let text = #"""
        {"rows": [{"n": 1}, {"n": 2, "list": [[3], [4, 5]]}], "0": {"n": 6}, "a.b": {"c": 7}}
        """#

    @Test(
        arguments: [
            ("rows.0.n", "1"), ("rows.1.n", "2"), ("rows.1.list.1.0", "4"), ("0.n", "6"),
            (#""a.b".c"#, "7"), ("rows.2", nil), ("rows.-1", nil), ("rows.x", nil),
            ("rows.+1", nil),
            ("rows.1.list.1.2", nil), ("rows.99999999999999999999", nil), ("0.n.0", nil),
            ("a.b.c", nil), ("rows. 0", nil),
        ] as [(JSONPath, String?)]
    )
    func `a number is the index of an element of an array`(path: JSONPath, value: String?) throws {
        let document = try JSONDocument(Array(Self.text.utf8))
        let found = document.withRoot { root in
            root.node(at: path).map { String(decoding: $0.source, as: UTF8.self) }
        }
        #expect(found == value)
    }

    private static let paths: [JSONPath] = [
        "1.data.0.rows", "1.data.0.rows.2", "0", "2", "1", "1.data.1", "1.data", "3.0", "4.rows",
    ]

    @Test(arguments: paths)
    func `a stream has the items of the document, wherever it is split`(path: JSONPath) throws {
        let text = #"""
            [ {"x":[1,{"y":2}]} , {"data":[{"a":"]","rows":[1,2,{"b":[3]}],"z":{}},[4 , 5]],"q":[[]]},
            [6], [[7],8], {"rows":[9]} ]
            """#
        let bytes = Array(text.utf8)
        var items = try JSONDocument(bytes).items(at: path)
        let expected = try items.texts()
        for chunkSize in 1...bytes.count {
            var reader = JSONItemReader(bytes, root: path, window: 16, chunkSize: chunkSize)
            #expect(try reader.texts() == expected)
        }
        for count in 0..<bytes.count {
            var reader = JSONItemReader(Array(bytes[..<count]), root: path, window: 8)
            #expect(throws: (any Error).self, "\(count) bytes") { try reader.texts() }
        }
    }

    @Test(arguments: [
        ("[]", "0", "there is no list at `0`: `0` is missing"),
        ("[[1]]", "1", "there is no list at `1`: `1` is missing"),
        ("[[1], 2]", "5.a", "there is no list at `5.a`: `5` is missing"),
        (#"{"a": [1]}"#, "a.b", "there is no list at `a.b`: `a` is an array, not an object"),
        (#"{"a": 1}"#, "a.0", "there is no list at `a.0`: `a` is a number, not an object"),
        (
            #"{"a": [[]], "a": [[]]}"#, "a.0",
            "`a` occurs twice; it is ambiguous which of the two is meant"
        ),
    ])
    func `a path that leads to no list says where it ends`(
        text: String,
        path: String,
        message: String
    ) {
        var reader = JSONItemReader(Array(text.utf8), root: JSONPath(path))
        let error = #expect(throws: JSONItemsError.self) { try reader.texts() }
        #expect(error?.description == message)
    }

    @Test func `members around a list in an array are remembered`() throws {
        let bytes = Array(#"[{"total": 5, "data": [1, 2], "next": "b"}, {"total": 6}]"#.utf8)
        var reader = JSONItemReader(
            bytes,
            root: "0.data",
            remembering: [["0", "total"], ["0", "next"], ["1", "total"]]
        )
        #expect(try reader.texts() == ["1", "2"])
        let values = reader.remembered.mapValues {
            $0.withRoot { String(decoding: $0.source, as: UTF8.self) }
        }
        #expect(values == [["0", "total"]: "5", ["0", "next"]: #""b""#])
    }
}
