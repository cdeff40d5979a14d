import Foundation
import Testing

@testable import TidemarkModel

struct DiagnosticTests {
    @Test func `encodes every member, with null where it does not apply`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bare = Diagnostic(entity: "User", message: "Wrong.")
        #expect(
            String(decoding: try encoder.encode(bare), as: UTF8.self) == """
                {"count":1,"entity":"User","key":null,"message":"Wrong.","path":null,\
                "severity":"warning","value":null}
                """
        )
        let full = Diagnostic(
            .error,
            entity: "User",
            key: "6",
            path: "age",
            message: "Wrong.",
            value: "\"x\"",
            count: 2
        )
        for diagnostic in [bare, full] {
            let data = try encoder.encode(diagnostic)
            #expect(try JSONDecoder().decode(Diagnostic.self, from: data) == diagnostic)
        }
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "…"), ("abcdef", 5, "ab…"), ("ééé", 5, "é…"),
        ("éé", 4, "éé"), ("a😀😀", 8, "a😀…"), ("a😀😀", 7, "a…"), ("", 0, ""), ("a", 0, "…"),
    ])
    func `a text is truncated between two UTF-8 characters`(
        _ text: String,
        _ limit: Int,
        _ cut: String
    ) {
        #expect(text.cut(toBytes: limit) == cut)
    }
}
