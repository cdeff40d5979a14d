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
        (
            #"""
            {"code": "rest_missing_callback_param", "message": "Missing parameter(s): title",
              "data": {"status": 400, "params": ["title"]}}
            """#, "Missing parameter(s): title"
        ),
        // Nothing
        (#"{}"#, ""), (#"{"errors": []}"#, ""), ("null", ""), ("[1, {}]", ""), (#""no""#, "no"),
        (#"{"id": 7, "tags": [1, 2], "status": 422}"#, ""),
    ])
    func `messages are read`(_ document: String, _ errors: String) throws {
        try expect(read(document), is: errors)
    }

    /// Responses of further services and frameworks, as their documentation shows them.
    @Test(arguments: [
        // Mailman, CouchDB, SCIM, Zendesk
        (#"{"title": "400 Bad Request", "description": "No such domain"}"#, "No such domain"),
        (
            #"{"error": "conflict", "reason": "Document update conflict."}"#,
            "Document update conflict."
        ),
        (#"{"schemas": ["urn:x"], "detail": "No such user", "status": "404"}"#, "No such user"),
        (
            #"""
            {"error": "RecordInvalid", "description": "Validation errors",
              "details": {"name": [{"description": "Name: is blank", "error": "BlankValue"}]}}
            """#, "Validation errors; name: Name: is blank"
        ),
        // RFC 9457
        (#"{"type": "https://a/b", "title": "Out of credit.", "status": 403}"#, "Out of credit."),
        (
            #"""
            {"type": "about:blank", "title": "Invalid", "status": 422, "detail": "Two errors.",
              "errors": [{"detail": "must be positive", "pointer": "#/age"},
                {"detail": "is unknown", "pointer": "#/profile/color"}]}
            """#, "Two errors.; age: must be positive; profile.color: is unknown"
        ),
        // FHIR
        (
            #"""
            {"resourceType": "OperationOutcome", "text": {"status": "generated", "div": "<div/>"},
              "issue": [{"severity": "error", "code": "invalid", "diagnostics": "no such code",
                "expression": ["Patient.gender"]}]}
            """#, "gender: no such code"
        ),
        (
            #"""
            {"resourceType": "OperationOutcome",
              "issue": [{"severity": "error", "code": "x", "details": {"text": "is required"}}]}
            """#, "is required"
        ),
        // OData 4 and 3, SharePoint
        (
            #"""
            {"error": {"code": "501", "message": "Unsupported", "target": "query",
              "details": [{"code": "301", "target": "$search", "message": "$search is unknown"}]}}
            """#, "$search: $search is unknown; query: Unsupported"
        ),
        (
            #"{"odata.error": {"code": "", "message": {"lang": "en-US", "value": "No title."}}}"#,
            "No title."
        ),
        // PostgREST
        (
            #"""
            {"code": "23505", "details": "Key (title)=(a) already exists.", "hint": null,
              "message": "duplicate key value violates unique constraint"}
            """#,
            "duplicate key value violates unique constraint; Key (title)=(a) already exists."
        ),
        (#"{"message": "a", "details": null, "hint": "b", "code": "42501"}"#, "a; b"),
        // Google, twice
        (
            #"""
            {"error": {"code": 400, "message": "Invalid value", "errors": [{"message": "Invalid value",
              "domain": "global", "reason": "invalid", "location": "due"}]}}
            """#, "Invalid value; due: Invalid value"
        ),
        (
            #"""
            {"error": {"code": 400, "message": "Invalid.", "status": "INVALID_ARGUMENT",
              "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": "title", "description": "is required"}]}]}}
            """#, "Invalid.; title: is required"
        ),
        // Mongoose, NestJS, FastAPI, Strapi, GitHub
        (#"{"errors": {"x": [{"message": "is short"}, {"message": "no"}]}}"#, "x: is short / no"),
        (
            #"{"errors": {"title": {"message": "is required", "kind": "required"}}, "message": "m"}"#,
            "title: is required"
        ),
        (
            #"{"statusCode": 400, "message": ["title must be a text"], "error": "Bad Request"}"#,
            "title must be a text"
        ),
        (
            #"{"detail": [{"loc": ["body", "title"], "msg": "field required", "type": "missing"}]}"#,
            "title: field required"
        ),
        (
            #"""
            {"data": null, "error": {"status": 400, "name": "ValidationError", "message": "1 error",
              "details": {"errors": [{"path": ["title"], "message": "is short", "name": "E"}]}}}
            """#, "1 error; title: is short"
        ),
        (
            #"""
            {"message": "Validation Failed",
              "errors": [{"resource": "Issue", "field": "title", "code": "missing_field"}]}
            """#, "title: missing_field"
        ),
        // Jira, Salesforce, Stripe, Elasticsearch, ASP.NET, JSend, Slack, Redmine
        (
            #"{"errorMessages": ["No access."], "errors": {"summary": "is blank", "title": "no"}}"#,
            "No access.; summary: is blank; title: no"
        ),
        (
            #"[{"message": "Required fields are missing", "errorCode": "X", "fields": ["Name"]}]"#,
            "Name: Required fields are missing"
        ),
        (#"{"error": {"code": "x", "message": "Invalid.", "param": "email"}}"#, "email: Invalid."),
        (
            #"{"error": {"root_cause": [], "type": "parse", "reason": "No title"}, "status": 400}"#,
            "No title"
        ),
        (
            #"{"Message": "The request is invalid.", "ModelState": {"title": ["is required"]}}"#,
            "title: is required"
        ),
        (
            #"{"Message": "Invalid.", "ModelState": {"note.Text": ["is required"], "": ["x"]}}"#,
            "x; Text: is required"
        ),
        (#"{"ModelState": {"note.Owner.Name": ["is short"]}}"#, "Owner.Name: is short"),
        // PocketBase, MongoDB, WeChat
        (
            #"""
            {"code": 400, "message": "Failed to create record.",
              "data": {"text": {"code": "validation_required", "message": "Cannot be blank."}}}
            """#, "text: Cannot be blank."
        ),
        (#"{"data": {"text": {"message": "Cannot be blank."}}}"#, "text: Cannot be blank."),
        (#"{"code": 404, "message": "Not found.", "data": {}}"#, "Not found."),
        (
            #"{"ok": 0, "errmsg": "E11000 duplicate key", "code": 11000, "codeName": "X"}"#,
            "E11000 duplicate key"
        ),
        (
            #"{"ok": 1, "n": 0, "writeErrors": [{"index": 0, "code": 121, "errmsg": "invalid"}]}"#,
            "invalid"
        ),
        (#"{"errcode": 40003, "errmsg": "invalid openid"}"#, "invalid openid"),
        (#"{"code": 403, "msg": "no permission", "data": null}"#, "no permission"),
        (#"{"status": "fail", "data": {"title": "is required"}}"#, "title: is required"),
        (#"{"ok": false, "error": "invalid_auth"}"#, "invalid_auth"),
        (#"{"success": false, "errors": [{"code": 7, "message": "Invalid"}]}"#, "Invalid"),
        (#"{"errors": "Not Found"}"#, "Not Found"),
        (#"{"error": {"title": ["blank"]}}"#, "title: blank"),
        (#"{"error": {"code": 7}, "message": "No title."}"#, "No title."),
        (#"{"message": {"title": "is required"}}"#, "title: is required"),
        // Fields that are called as the members of an error.
        (#"{"message": ["may not be blank"]}"#, "message: may not be blank"),
        (#"{"errors": {"description": "is short"}}"#, "description: is short"),
    ])
    func `messages of other services are read`(_ document: String, _ errors: String) throws {
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
