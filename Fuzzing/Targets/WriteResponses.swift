import Foundation
import HTTPTypes
import TidemarkJSON
import TidemarkModel
import TidemarkRemote

/// Responses to changes: nothing but a success acknowledges a change, and the messages of a
/// rejection are short and contain no secret.
enum WriteResponses {
    /// The password of the service, which it may repeat in any response.
    private static let password = "hunter2hunter2"

    private static let types = [
        "application/json", "application/problem+json", "application/vnd.api+json", "text/html",
        "text/plain", nil,
    ]

    /// The services by the names of their presets, each with the usual style and with another.
    private static let styles = Service.presets.sorted { $0.key < $1.key }.flatMap { preset in
        let service = preset.value(URL(filePath: "/"))
        var resource = service.resource("Thing", path: "things")
        resource.push = PushStyle.presets[preset.key] ?? .rest
        var other = resource
        other.push.stale = PushStyle.StaleResponse(statusesWithoutMessage: [422])
        other.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
        other.push.reconcile = .resend
        other.push.key = .client
        return [(service, resource), (service, other)]
    }

    /// Checks an input.
    ///
    /// The first bytes select the service, the change, the status and the media type. The others
    /// are the body.
    static func check(_ bytes: [UInt8]) throws {
        var bytes = FuzzBytes(bytes)
        let (service, resource) = bytes.pick(styles)
        let change = bytes.pick([PushStyle.Change.create, .update, .delete])
        // Of three-digit numbers more than statuses have a name.
        let status = 200 + bytes.number(below: 4) * 100 + bytes.number(below: 100)
        let type = bytes.pick(types)
        let body = bytes.remainder()
        let mask = SecretMask(
            of: service,
            and: [.authorization: "Basic \(Data("me:\(password)".utf8).base64EncodedString())"]
        )
        let response = WriteResponse(
            status: .init(code: status),
            headers: [.eTag: "\"1\"", .location: "things/7"],
            content: WriteResponse.Content(body, type: type, limits: JSONLimits()),
            delay: status == 503 ? .seconds(1) : nil,
            secrets: mask
        )
        let about = "\(resource.path) \(change) \(status) \(type ?? "–")"
        try check(response, to: change, of: resource, about)
        try checkBatch(response, of: resource, about)
    }

    private static func check(
        _ response: WriteResponse,
        to change: PushStyle.Change,
        of resource: RemoteResource,
        _ about: String
    ) throws {
        let status = response.status.code
        let isParse = resource.push.body.references == .pointers
        let expectation = WriteExpectation(
            .init(change, in: resource),
            key: change == .create ? [:] : ["id": ["7"]],
            body: Array(#"{"title":"a"}"#.utf8)
        )
        switch try WriteOutcome(response, to: expectation) {
        case .applied(let applied):
            guard 200...299 ~= status else { throw Violation("\(about) is not a success") }
            if case .other(let type) = response.content {
                throw Violation("\(about): \(type) was taken for a response of the service")
            }
            try checkObject(in: applied.document, of: resource, about)
        case .stale(let errors), .rejected(let errors):
            guard status >= 400 else { throw Violation("\(about) is not a failure") }
            try check(errors, about)
        case .missing, .exists:
            guard isParse || [404, 409, 410, 412, 422, 428].contains(status) else {
                throw Violation("\(about) says nothing about the object")
            }
        case .contradictory, .accepted:
            guard 200...299 ~= status else { throw Violation("\(about) is not a success") }
        case .denied, .postponed, .uncertain: break
        }
    }

    /// Checks that what reads the object in a response throws nothing but errors about it.
    private static func checkObject(
        in document: JSONDocument?,
        of resource: RemoteResource,
        _ about: String
    ) throws {
        guard let document else { return }
        var limits = Limits()
        limits.json.itemBytes = 1_024
        do {
            _ = try resource.withObject(
                in: document,
                at: resource.push.reading.responseEnvelope,
                limits: limits
            ) { object in
                try Violation.unlessEqual(object.kind, .object, "\(about): the object")
            }
            _ = try resource.items(of: document, limits: limits)
        } catch let error as Violation {
            throw error
        } catch is JSONError {
            // A larger object, or one that is nested too deeply in its plain form.
        } catch is JSONItemsError {
            // There is no list.
        }
    }

    private static func check(_ errors: FieldErrors, _ about: String) throws {
        let messages = [errors.messages] + errors.fields.values
        guard errors.fields.count <= 20, messages.allSatisfy({ $0.count <= 20 }) else {
            throw Violation("\(about): too many messages")
        }
        for text in Array(errors.fields.keys) + messages.joined() {
            guard text.unicodeScalars.count <= 200 else {
                throw Violation("\(about): a message of \(text.unicodeScalars.count) characters")
            }
            guard !text.contains(password) else { throw Violation("\(about): a password, \(text)") }
            try Violation.unlessEqual(text.singleLine(), text, "\(about): a message of one line")
        }
    }

    /// Checks the responses in a batch of two changes.
    private static func checkBatch(
        _ response: WriteResponse,
        of resource: RemoteResource,
        _ about: String
    ) throws {
        let requests = [HTTPRequest.Method.post, .delete].map {
            WriteRequest($0, url: URL(filePath: "/things"))
        }
        for format in [PushStyle.Batch.Format.kinto, .parse] {
            let members = response.members(
                to: requests,
                in: format,
                limits: Limits(),
                now: Date(timeIntervalSince1970: 0)
            )
            for (index, member) in (members ?? []).enumerated() {
                guard let member else { continue }
                let change = index == 0 ? PushStyle.Change.create : .delete
                try check(member, to: change, of: resource, "\(about), member \(index)")
            }
        }
        if case .applied = WriteOutcome(toBatch: response, style: resource.push) {
            throw Violation("\(about) acknowledges a batch as a whole")
        }
    }
}
