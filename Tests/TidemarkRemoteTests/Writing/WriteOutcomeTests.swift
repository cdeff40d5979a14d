import HTTPTypes
import Testing
import TidemarkJSON
import TidemarkTestSupport

@testable import TidemarkRemote

/// What responses to changes mean.
struct WriteOutcomeTests {
    private func outcome(
        _ status: Int,
        _ body: String = "",
        _ change: PushStyle.Change = .update,
        style: PushStyle = .rest,
        fields: HTTPFields = [:],
        delay: Duration? = nil
    ) throws -> String {
        let content: WriteResponse.Content =
            if body.isEmpty {
                .empty
            } else if body.hasPrefix("<") {
                .other(type: "text/html")
            } else if body == "{" {
                .other(type: "application/json")
            } else {
                .json(try JSONDocument(Array(body.utf8)))
            }
        let fixture = RemoteFixture()
        let response = WriteResponse(
            status: .init(code: status),
            headers: fields,
            content: content,
            delay: delay,
            secrets: SecretMask(of: fixture.service, and: [:])
        )
        return Self.text(try fixture.outcome(of: response, to: change, style: style))
    }

    private static func text(_ outcome: WriteOutcome) -> String {
        switch outcome {
        case .applied(let applied):
            let parts = [
                applied.document.map { $0.withRoot { String(decoding: $0.source, as: UTF8.self) } },
                applied.entityTag,
            ]
            let all = parts.compactMap(\.self) + applied.locations
            return (["applied"] + all).joined(separator: " ")
        case .contradictory(.error(let errors)):
            return (["contradictory"] + errors.messages).joined(separator: " ")
        case .contradictory(.noObject(let content)): return "contradictory: \(content)"
        case .contradictory(.partial(let status)): return "contradictory: \(status)"
        case .accepted(let delay): return delay.map { "accepted \($0)" } ?? "accepted"
        case .missing: return "missing"
        case .exists: return "exists"
        case .stale: return "stale"
        case .rejected(let errors):
            let fields = errors.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return (["rejected"] + errors.messages + fields).joined(separator: " ")
        case .denied(.credentials(let errors)): return "denied credentials\(text(errors))"
        case .denied(.unsupported(let errors)): return "denied unsupported\(text(errors))"
        case .denied(let denial): return "denied \(denial)"
        case .postponed(let delay): return delay.map { "postponed \($0)" } ?? "postponed"
        case .uncertain(.failure(let status, let errors)):
            return "uncertain failure \(status)\(text(errors))"
        case .uncertain(let doubt): return "uncertain \(doubt)"
        }
    }

    private static func text(_ errors: FieldErrors) -> String {
        errors.messages.map { ": \($0)" }.joined()
    }

    @Test func `a success is JSON or nothing`() throws {
        try expect(outcome(200, #"{"id":7}"#), is: #"applied {"id":7}"#)
        try expect(outcome(204), is: "applied")
        try expect(
            outcome(201, "", .create, fields: [.location: "/things/7", .eTag: #""a""#]),
            is: #"applied "a" /things/7"#
        )
        // A sign-in page, or a captive portal.
        try expect(outcome(200, "<html>"), is: #"denied page(type: "text/html")"#)
        try expect(outcome(200, "{"), is: "uncertain foreign")
    }

    @Test func `a change that is processed later is not done, and nothing names its object`() throws
    {
        for change in [PushStyle.Change.create, .update, .delete] {
            try expect(outcome(202, "", change), is: "accepted")
            try expect(
                outcome(202, #"{"id":4}"#, change, fields: [.location: "/jobs/77"]),
                is: "accepted"
            )
            try expect(outcome(202, "", change, delay: .seconds(5)), is: "accepted 5.0 seconds")
        }
        try expect(outcome(202, "<html>"), is: "accepted")
    }

    @Test func `a part of a response, or several responses, confirm nothing`() throws {
        for status in [206, 207, 208] {
            try expect(outcome(status, #"{"id":7}"#), is: "contradictory: \(status)")
        }
    }

    @Test func `a redirect is not followed, and 303 may follow a change that was made`() throws {
        try expect(
            outcome(301, fields: [.location: "/things/7/"]),
            is: #"denied redirect(to: Optional("/things/7/"))"#
        )
        try expect(outcome(303), is: "uncertain foreign")
    }

    @Test func `a missing object, a path that accepts nothing, and credentials differ`() throws {
        for status in [404, 410] {
            try expect(outcome(status), is: "missing")
            try expect(outcome(status, "", .delete), is: "missing")
            try expect(outcome(status, "", .create), is: "denied unsupported")
        }
        for status in [405, 501] { try expect(outcome(status), is: "denied unsupported") }
        for status in [401, 407] { try expect(outcome(status), is: "denied credentials") }
        try expect(outcome(403, #"{"detail": "Read only."}"#), is: "rejected Read only.")
    }

    @Test func `a failure has the messages of the service, too`() throws {
        let body = #"{"detail": "No such project."}"#
        try expect(outcome(404, body, .create), is: "denied unsupported: No such project.")
        try expect(outcome(410, body, .create), is: "denied unsupported: No such project.")
        try expect(outcome(405, body), is: "denied unsupported: No such project.")
        try expect(outcome(401, body), is: "denied credentials: No such project.")
        try expect(outcome(500, body), is: "uncertain failure 500: No such project.")
        try expect(outcome(408, body), is: "uncertain failure 408: No such project.")
    }

    @Test func `only an answer that nothing was done allows the same request again`() throws {
        for status in [421, 423, 425, 429] { try expect(outcome(status), is: "postponed") }
        try expect(outcome(429, delay: .seconds(5)), is: "postponed 5.0 seconds")
        try expect(outcome(503, delay: .seconds(5)), is: "postponed 5.0 seconds")
        for status in [408, 500, 502, 503, 504, 599] {
            try expect(outcome(status, "<html>"), is: "uncertain failure \(status)")
        }
    }

    @Test func `a rejection has the messages of the service`() throws {
        for status in [400, 413, 415, 422, 451] {
            try expect(
                outcome(status, #"{"title": ["blank"]}"#),
                is: #"rejected title: ["blank"]"#
            )
        }
        try expect(outcome(400, "<html>"), is: "rejected")
    }

    @Test func `the statuses of the style mean that a version is stale`() throws {
        try expect(outcome(412), is: "stale")
        try expect(outcome(428, style: .parse), is: "stale")
        try expect(outcome(409, #"{"id": 7, "title": "Hers"}"#, style: .rails), is: "stale")
        try expect(outcome(409, #"{"error": "stale"}"#, style: .rails), is: "stale")
        try expect(
            outcome(412, #"{"code": 412, "details": {"existing": {"id": "a"}}}"#, style: .kinto),
            is: "stale"
        )
        // Two transactions of Kinto were in each other's way.
        try expect(outcome(409, #"{"errno": 122}"#, style: .kinto), is: "stale")
        try expect(
            outcome(409, #"{"id": ["taken"]}"#, style: .parse),
            is: #"rejected id: ["taken"]"#
        )
        var redmine = PushStyle.rest
        redmine.stale = .init(statuses: [409], statusesWithoutMessage: [422])
        try expect(outcome(422, #"{"errors": []}"#, style: redmine), is: "stale")
        try expect(outcome(422, #"{"errors": ["no"]}"#, style: redmine), is: "rejected no")
    }

    @Test func `a key that the client has chosen may be taken`() throws {
        for status in [409, 412] {
            try expect(outcome(status, "", .create, style: .kinto), is: "exists")
        }
    }

    @Test func `a new object has no version that could be stale`() throws {
        for style in [PushStyle.rest, .rails, .jsonAPI] {
            try expect(
                outcome(409, #"{"name": ["taken"]}"#, .create, style: style),
                is: #"rejected name: ["taken"]"#
            )
        }
    }

    @Test func `a conflict is that of versions although requests have keys`() throws {
        var style = PushStyle.rails
        style.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
        style.reconcile = .resend
        try expect(outcome(409, #"{"id": 7, "title": "Hers"}"#, style: style), is: "stale")
        try expect(outcome(409, "", .delete, style: style), is: "stale")
    }

    @Test(arguments: [
        (101, 404, "missing"), (111, 400, "rejected x"), (137, 400, "rejected x"),
        (142, 400, "rejected x"), (155, 400, "postponed"), (159, 400, "uncertain duplicate"),
        (119, 400, "denied unsupported: x"), (206, 400, "denied unsupported: x"),
        (209, 400, "denied credentials: x"), (1, 500, "uncertain failure 500: x"),
        (124, 400, "uncertain failure 400: x"), (9_999, 400, "rejected x"),
    ])
    func `an error code of Parse is more exact than its status`(
        _ code: Int,
        _ status: Int,
        _ meaning: String
    ) throws {
        let body = #"{"code": \#(code), "error": "x"}"#
        try expect(outcome(status, body, style: .parse), is: meaning)
    }
}
