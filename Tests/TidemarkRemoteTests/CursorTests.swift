import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// The cursor that a response with change timestamps establishes.
struct CursorTests {
    private func metadata(_ stamps: [String], responseDate: String?) async throws -> PageMetadata {
        var fixture = RemoteFixture()
        fixture.service.style.pagination = .none
        fixture.service.style.envelope = .none
        fixture.service.style.delta = .since(
            ChangeQuery.Since(field: ["at"], condition: .parameter("since"))
        )
        var fields = HTTPFields()
        fields[.date] = responseDate
        let objects = stamps.enumerated().map { #"{"id": \#($0), "at": \#($1)}"# }
        let text = "[\(objects.joined(separator: ", "))]"
        return try await fixture.first("things", StubTransport(text, fields: fields)).metadata
    }

    @Test(arguments: [
        "Sun, 22 Nov 2026 03:21:07 GMT", "Sun, 22 Nov 2026 03:21:06 GMT", nil, "yesterday", "",
        "Sun, 22 Nov 999999999 03:21:07 GMT",
    ])
    func `the latest change timestamp is the cursor`(_ responseDate: String?) async throws {
        let stamps = [#""2026-11-22T03:21:06Z""#, #""2026-11-22T03:21:07Z""#, "null"]
        let metadata = try await metadata(stamps, responseDate: responseDate)
        #expect(metadata.cursor == "2026-11-22T03:21:07Z")
        #expect(metadata.latest?.text == "2026-11-22T03:21:07Z")
    }

    /// A timestamp in the future, written by a device with a wrong clock or by a bulk import, would
    /// hide all later changes if it became the cursor.
    @Test func `a timestamp in the future is not used as the cursor`() async throws {
        let stamps = [
            #""2026-11-22T03:21:06Z""#, #""2099-01-01T00:00:00Z""#, #""2026-11-22T03:21:09Z""#,
        ]
        let metadata = try await metadata(stamps, responseDate: "Sun, 22 Nov 2026 03:21:07 GMT")
        #expect(metadata.cursor == "2026-11-22T03:21:06Z")
    }

    @Test func `a number is used as the cursor even if its time is in the future`() async throws {
        let metadata = try await metadata(
            ["1", "9000000000000"],
            responseDate: "Sun, 22 Nov 2026 03:21:07 GMT"
        )
        #expect(metadata.cursor == "9000000000000")
    }

    /// A timestamp, and whether it has passed in the second 03:21:07.
    @Test(arguments: [
        (#""2026-11-22T03:21:06Z""#, true), (#""2026-11-22T03:21:07Z""#, false),
        (#""2026-11-22T03:21:06.999Z""#, true), (#""2026-11-22T03:21:07.000Z""#, false),
        (#""2026-11-22T04:21:06+01:00""#, true), (#""2026-11-22T04:21:07+01:00""#, false),
        (#""2026-11-22T03:20Z""#, true), (#""2026-11-22T03:21Z""#, false),
        (#""2026-11-22T03:21+00:00""#, false),
        (#""2026-11-21""#, true), (#""2026-11-22""#, false),
        ("1795317666", true), ("1795317667", false), ("1795317666999", true),
        ("1795317667000", false), ("1795317666999999", true), ("1795317667000000", false),
        ("7", true), ("-7", true), ("9223372036854775807", true), ("null", false),
    ])
    func `a cursor has passed once no later change can have its timestamp`(
        _ stamp: String,
        _ isOver: Bool
    ) async throws {
        let date = "Sun, 22 Nov 2026 03:21:07 GMT"
        #expect(try await metadata([stamp], responseDate: date).isCursorOver == isOver)
        #expect(try await metadata([stamp], responseDate: nil).isCursorOver == false)
    }

    /// `Last-Modified` and `Date` of a response, and whether the former is used as a validator.
    @Test(arguments: [
        ("Sun, 22 Nov 2026 03:21:06 GMT", "Sun, 22 Nov 2026 03:21:07 GMT", true),
        ("Sun, 22 Nov 2026 03:21:07 GMT", "Sun, 22 Nov 2026 03:21:07 GMT", false),
        ("Sun, 22 Nov 2026 03:21:08 GMT", "Sun, 22 Nov 2026 03:21:07 GMT", false),
        ("Sun, 22 Nov 2026 03:21:06 GMT", nil, false),
        ("lately", "Sun, 22 Nov 2026 03:21:07 GMT", false),
    ])
    func `Last-Modified is a validator only once its second has passed`(
        _ modified: String,
        _ responseDate: String?,
        _ isValidator: Bool
    ) async throws {
        var fields = HTTPFields()
        fields[.lastModified] = modified
        fields[.date] = responseDate
        let stub = StubTransport(#"{"results": []}"#, fields: fields)
        let metadata = try await RemoteFixture().first("things", stub).metadata
        #expect(metadata.validator?.modified == (isValidator ? modified : nil))
    }

    @Test func `there is no cursor if all timestamps are in the future`() async throws {
        let metadata = try await metadata(
            [#""2099-01-01T00:00:00Z""#],
            responseDate: "Sun, 22 Nov 2026 03:21:07 GMT"
        )
        #expect(metadata.cursor == nil)
    }
}
