import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Services that respond to a creation that has failed with the status of a success.
struct FailedCreationTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [Attribute("id", .integer64), Attribute("text", .string)]
        )
    ])

    @Test(arguments: [
        (#"{"errcode": 40003, "errmsg": "invalid openid"}"#, " (“invalid openid”)"),
        (#"{"code": 403, "msg": "no permission"}"#, " (“no permission”)"),
        (#"{"Message": "x", "ModelState": {"note.Text": ["is long"]}}"#, " (“Text: is long”)"),
        (#"{"data": {"text": {"message": "is blank"}}}"#, " (“text: is blank”)"),
        (#"{"count": 0}"#, ""),
    ])
    func `what the service says is part of the reason`(body: String, quoted: String) async throws {
        let response = try FakeJSON(parsing: Array(body.utf8))
        let service = PlainService(["notes": []]) { request, _ in
            request.method == "POST" ? PlainService.Response(body: response) : nil
        }
        let mirror = try PlainMirror(Self.model, [("Note", "notes")], with: service)
        try await mirror.pull()
        try await mirror.store.write { writer in
            _ = try writer.insert("Note", values: ["text": .string("a")])
        }
        _ = try await mirror.push()
        let reason = "the response does not contain the key of the new object"
        #expect(try mirror.changes() == ["Note#1 create, uncertain: \(reason)\(quoted)"])
    }
}
