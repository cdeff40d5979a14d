import HTTPTypes
import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkRemote

/// What a successful response shows of the object that was sent.
struct ResponseEvidenceTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("state", .string, remoteKey: "status"),
                Attribute("city", .string, remoteKey: "address.city"),
            ]
        )
    ])

    private func evidence(
        _ body: String?,
        to change: PushStyle.Change = .update,
        sent: String? = #"{"title":"mine"}"#,
        type: String? = "application/json",
        _ configure: (inout RemoteResource) -> Void = { _ in }
    ) throws -> ResponseEvidence {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Task", path: "tasks")
        resource.push = .rest
        configure(&resource)
        let entity = try #require(Self.model["Task"])
        let expectation = WriteExpectation(
            .init(
                change,
                in: resource,
                mapping: EntityMapping(entity: entity, in: Self.model)
            ),
            key: change == .create ? [:] : ["id": ["7"]],
            body: sent.map { Array($0.utf8) }
        )
        return try expectation.evidence(
            in: body.map { try JSONDocument(Array($0.utf8)) },
            type: type,
            hiding: SecretMask(of: fixture.service, and: [:])
        )
    }

    private static let object = ResponseEvidence.object(FieldErrors())

    @Test(arguments: [PushStyle.Change.create, .update])
    func `an object with a member that was sent is the object`(change: PushStyle.Change) throws {
        #expect(try evidence(#"{"id":7,"title":"mine"}"#, to: change) == Self.object)
        #expect(try evidence(#"{"title":"normalized"}"#, to: change) == Self.object)
        #expect(try evidence(#"{"title":null}"#, to: change) == Self.object)
    }

    @Test func `the object that was sent is found where the request had it`() throws {
        let sent = #"{"row":{"title":"mine"},"return":true}"#
        func shown(by response: String) throws -> ResponseEvidence {
            try evidence(response, to: .create, sent: sent) { resource in
                resource.push.create = .init(.post)
                resource.push.create?.wrapper = .member("row")
            }
        }
        #expect(try shown(by: #"{"title":"mine","id":12}"#) == Self.object)
        #expect(try shown(by: #"{"id":12}"#) == .unspecific)
    }

    @Test func `an object with the key of the row is the object`() throws {
        #expect(try evidence(#"{"id":7}"#) == Self.object)
        #expect(try evidence(#"{"id":"7","status":"open"}"#) == Self.object)
    }

    @Test func `an object with the key of another row is not the object`() throws {
        #expect(try evidence(#"{"id":8,"title":"mine"}"#) == .otherObject)
        #expect(try evidence(#"{"id":{"$oid":"7"}}"#) == .otherObject)
    }

    @Test func `the key of a new object does not prove its values`() throws {
        #expect(try evidence(#"{"id":12}"#, to: .create) == .unspecific)
        #expect(try evidence(#"{"id":12,"created":"2026-01-02"}"#, to: .create) == .unspecific)
    }

    @Test func `the member of a key path that was sent is a part of the object`() throws {
        let sent = #"{"address":{"city":"Bonn"}}"#
        #expect(try evidence(#"{"address":{"city":"Bonn"}}"#, sent: sent) == Self.object)
    }

    @Test(arguments: [
        #"{"error":"not saved"}"#, #"{"errors":[{"detail":"no"}]}"#,
        #"{"errors":{"title":["no"]}}"#,
        #"{"success":false}"#, #"{"success":"false","message":"locked"}"#, #"{"ok":false}"#,
        #"{"error":true}"#, #"{"error":1}"#,
    ])
    func `an object that reports an error, and is not the object, is an error`(
        body: String
    ) throws {
        for change in [PushStyle.Change.create, .update, .delete] {
            guard case .error = try evidence(body, to: change, sent: change == .delete ? nil : "{}")
            else {
                Issue.record("\(change): \(body) is not an error")
                continue
            }
        }
    }

    @Test(arguments: [
        #"{"error":null}"#, #"{"errors":[]}"#, #"{"errors":{}}"#, #"{"error":""}"#,
        #"{"error":0}"#, #"{"error":false}"#, #"{"success":true}"#, #"{"ok":true}"#, "{}",
        #"{"message":"Saved."}"#, #"{"updatedAt":"2026-01-02T00:00:00Z"}"#, #"{"count":1}"#,
        #"{"status":"ok"}"#,
    ])
    func `other objects say nothing about the values`(body: String) throws {
        #expect(try evidence(body) == .unspecific)
    }

    @Test func `a member that the model maps is data, and no report of a failure`() throws {
        // `status` is an attribute of the model.
        #expect(try evidence(#"{"status":"error"}"#) == .unspecific)
        #expect(try evidence(#"{"status":"error"}"#, sent: #"{"status":"error"}"#) == Self.object)
    }

    @Test func `errors next to the object are quoted`() throws {
        guard
            case .object(let errors) = try evidence(
                #"{"id":7,"title":"a","errors":[{"detail":"too long"}]}"#
            )
        else {
            Issue.record("it is not the object")
            return
        }
        #expect(errors.messages == ["too long"])
    }

    @Test func `a problem is an error whatever its members are called`() throws {
        guard
            case .error = try evidence(
                #"{"title":"Not allowed","status":403}"#,
                type: "application/problem+json"
            )
        else {
            Issue.record("not an error")
            return
        }
    }

    @Test(arguments: [
        ("[]", "an empty list"), (#"["saved"]"#, "a list"), (#"[{"id":7},{"id":8}]"#, "a list"),
        (#""ok""#, "a text"), ("1", "a number"), ("true", "a Boolean value"), ("null", "null"),
    ])
    func `what can contain no object shows none`(body: String, content: String) throws {
        #expect(try evidence(body) == .noObject(content))
    }

    @Test func `the object is looked for at its envelope`() throws {
        func evidence(_ body: String) throws -> ResponseEvidence {
            try self.evidence(body) { $0.push.reading.responseEnvelope = .keyPath(["data"]) }
        }
        #expect(try evidence(#"{"data":{"id":7,"title":"mine"}}"#) == Self.object)
        #expect(try evidence(#"{"data":[]}"#) == .noObject("an empty list"))
        #expect(try evidence(#"{"data":null}"#) == .noObject("null"))
        #expect(try evidence(#"{"id":7,"title":"mine"}"#) == .unspecific)
        guard case .error = try evidence(#"{"data":null,"errors":[{"title":"no"}]}"#) else {
            Issue.record("not an error")
            return
        }
    }

    @Test func `a resource of JSON:API is compared by its attributes`() throws {
        func evidence(_ body: String) throws -> ResponseEvidence {
            try self.evidence(
                body,
                sent: #"{"data":{"type":"tasks","id":"7","attributes":{"title":"mine"}}}"#
            ) { resource in
                resource.push = .jsonAPI
                resource.style.objects = .resourceObject
            }
        }
        #expect(try evidence(#"{"data":{"type":"tasks","id":"7"}}"#) == Self.object)
        #expect(
            try evidence(#"{"data":{"type":"tasks","attributes":{"title":"a"}}}"#) == Self.object
        )
        #expect(try evidence(#"{"data":{"type":"tasks","id":"9"}}"#) == .otherObject)
        #expect(try evidence(#"{"meta":{"saved":true}}"#) == .unspecific)
    }

    @Test func `no document shows nothing`() throws {
        #expect(try evidence(nil) == .unspecific)
    }

    @Test(arguments: [
        (PushStyle.ResponseContent.automatic, "applied, shownValues"),
        (.object, "applied, shownValues"),
        (.key, "applied, nothing"), (.none, "applied, nothing"), (.any, "applied, everything"),
    ])
    func `an option says what is believed of an object`(
        option: PushStyle.ResponseContent,
        outcome: String
    ) throws {
        #expect(try self.outcome(#"{"id":7,"title":"mine"}"#, option) == outcome)
    }

    @Test(arguments: [
        (PushStyle.ResponseContent.automatic, "applied, nothing"), (.object, "contradictory"),
        (.key, "applied, nothing"), (.none, "applied, nothing"), (.any, "applied, everything"),
    ])
    func `an option says what is believed of a response without an object`(
        option: PushStyle.ResponseContent,
        outcome: String
    ) throws {
        #expect(try self.outcome(#"{"success":true}"#, option) == outcome)
        #expect(try self.outcome(nil, option) == outcome)
    }

    private func outcome(
        _ body: String?,
        _ option: PushStyle.ResponseContent
    ) throws -> String {
        let fixture = RemoteFixture()
        var resource = fixture.service.resource("Task", path: "tasks")
        resource.push = .rest
        resource.push.reading.response = option
        let entity = try #require(Self.model["Task"])
        let response = WriteResponse(
            status: .ok,
            headers: [:],
            content: try body.map { .json(try JSONDocument(Array($0.utf8))) } ?? .empty,
            delay: nil,
            secrets: SecretMask(of: fixture.service, and: [:])
        )
        let outcome = try WriteOutcome(
            response,
            to: WriteExpectation(
                .init(
                    .update,
                    in: resource,
                    mapping: EntityMapping(entity: entity, in: Self.model)
                ),
                key: ["id": ["7"]],
                body: Array(#"{"title":"mine"}"#.utf8)
            )
        )
        switch outcome {
        case .applied(let applied): return "applied, \(applied.confirms)"
        case .contradictory: return "contradictory"
        case .accepted, .missing, .exists, .stale, .rejected, .denied, .postponed, .uncertain:
            return "\(outcome)"
        }
    }
}
