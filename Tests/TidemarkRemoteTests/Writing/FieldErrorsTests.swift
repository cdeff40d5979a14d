import Foundation
import HTTPTypes
import Testing
import TidemarkJSON
import TidemarkTestSupport

@testable import TidemarkRemote

/// The messages in rejections, in the formats of usual services.
struct FieldErrorsTests {
    private func read(_ text: String, hiding secret: String? = nil) throws -> String {
        var fixture = RemoteFixture()
        if let secret { fixture.service.headers[.authorization] = "Bearer \(secret)" }
        let errors = FieldErrors(
            try JSONDocument(Array(text.utf8)),
            hiding: SecretMask(of: fixture.service, and: fixture.service.headers)
        )
        let fields = errors.fields.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.joined(separator: " / "))" }
        return (errors.messages + fields).joined(separator: "; ")
    }

    @Test(arguments: [
        // Django REST framework
        (#"{"title": ["Not blank.", "Too short."]}"#, "title: Not blank. / Too short."),
        (#"{"non_field_errors": ["Twice."], "a": ["b"]}"#, "Twice.; a: b"),
        (#"{"detail": "Not allowed."}"#, "Not allowed."),
        (#"{"address": {"city": ["Unknown."]}}"#, "address.city: Unknown."),
        (#"["Whole."]"#, "Whole."),
        // Rails
        (#"{"errors": {"title": ["can't be blank"], "base": ["x"]}}"#, "x; title: can't be blank"),
        (#"{"errors": ["Title can't be blank"]}"#, "Title can't be blank"),
        (#"{"title": ["is taken"]}"#, "title: is taken"),
        // JSON:API
        (
            #"""
            {"errors": [{"status": "422", "source": {"pointer": "/data/attributes/title"},
              "title": "Invalid", "detail": "is short"}]}
            """#, "title: is short"
        ),
        (
            #"""
            {"errors": [{"source": {"pointer": "/data/relationships/author/data"}, "detail": "who"},
              {"source": {"pointer": "/data"}, "detail": "all"}]}
            """#, "all; author: who"
        ),
        // Kinto
        (
            #"""
            {"code": 400, "errno": 107, "error": "Invalid parameters", "message": "title in body",
              "details": [{"location": "body", "name": "data.title", "description": "Required"}]}
            """#, "title: Required"
        ),
        // Parse
        (#"{"code": 137, "error": "A duplicate value."}"#, "A duplicate value."),
        // Spring, Problem Details, Laravel, GitHub
        (#"{"errors": [{"field": "n", "defaultMessage": "positive"}]}"#, "n: positive"),
        (
            #"{"title": "Bad", "status": 400, "invalid-params": [{"name": "age", "reason": "int"}]}"#,
            "age: int"
        ),
        (#"{"message": "The given data was invalid.", "errors": {"a": ["b"]}}"#, "a: b"),
        (#"{"error": {"code": 7, "message": "No."}}"#, "No."),
        // Roundup, WordPress
        (#"{"error": {"status": 400, "msg": "No title."}}"#, "No title."),
        (
            #"""
            {"code": "rest_invalid_param", "message": "Invalid parameter(s): status",
              "data": {"status": 400, "params": {"status": "status is not one of publish."}}}
            """#, "status: status is not one of publish."
        ),
        (
            #"{"code": "empty_content", "message": "Content is empty.", "data": {"status": 400}}"#,
            "Content is empty."
        ),
        // Nothing
        (#"{}"#, ""), (#"{"errors": []}"#, ""), ("null", ""), ("[1, {}]", ""), (#""no""#, "no"),
        (#"{"id": 7, "tags": [1, 2], "status": 422}"#, ""),
    ])
    func `messages are read`(_ document: String, _ errors: String) throws {
        try expect(read(document), is: errors)
    }

    @Test func `a document of a stranger is shortened, and repeats no secret`() throws {
        let long = String(repeating: "a", count: 1_000)
        try expect(read(#"{"x": ["\#(long)"]}"#), is: "x: \(long.prefix(199))…")
        try expect(
            read(#"{"x": ["The token s3cr3t-t0ken is bad."]}"#, hiding: "s3cr3t-t0ken"),
            is: "x: The token *** is bad."
        )
        try expect(read(#"{"x": ["a\u0007b\nc"]}"#), is: "x: a b c")
        let many = (0..<100).map { #""f\#($0)": ["m"]"# }.joined(separator: ",")
        #expect(try read("{\(many)}").split(separator: ";").count == 20)
        let deep = String(repeating: #"{"a":"#, count: 100) + #"["m"]"#
        try expect(read(deep + String(repeating: "}", count: 100)), is: "")
    }
}
