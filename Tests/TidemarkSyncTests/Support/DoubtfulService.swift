import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// A transport to a fake service whose responses to changes are not what they seem: it may do
/// nothing, or a part, and answer with anything.
final class DoubtfulService: Transport {
    /// How much of a change the service does.
    enum Effect: String, CaseIterable, Sendable {
        case applied
        /// All but the title.
        case partly
        case none
    }

    /// What its response contains.
    enum Content: String, CaseIterable, Sendable {
        /// The object as the service has it.
        case object
        /// The object before the change.
        case former
        case key
        /// The time of the change.
        case time
        case empty
        case emptyList
        case text
        case error
        /// Another object of the list.
        case other
    }

    /// How the service treats changes.
    struct Answer: Hashable, Sendable, CustomStringConvertible {
        var status = 200
        var effect = Effect.applied
        var content = Content.object

        var description: String { "\(status) \(effect.rawValue) \(content.rawValue)" }
    }

    private let fake: FakeService
    private let answers = Mutex<[Answer]>([])

    /// How many requests for lists are answered as if the last changes had not been made.
    private let lag = Mutex<(lists: Int, body: [UInt8]?)>((0, nil))

    init(_ fake: FakeService) { self.fake = fake }

    /// Answers the next changes in other ways, one after the other.
    func answer(_ next: Answer...) { answers.withLock { $0 += next } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard request.method != .get, request.method != .head,
            let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
        else { return try await fake.send(request, body: body) }
        let path = (request.path ?? "").replacing("/api/", with: "").trimmed(of: "/")
        let former = fake[path]
        let before = fake.audit.count
        switch answer.effect {
        case .none: break
        case .applied: _ = try await fake.send(request, body: body)
        case .partly:
            let rest = try body.map { bytes in
                var object = try FakeJSON(parsing: bytes)
                object["title"] = nil
                return Array("\(object)".utf8)
            }
            _ = try await fake.send(request, body: rest)
        }
        let made = fake.audit.count > before ? fake.audit.last : nil
        let object = fake[made?.path ?? path]
        var head = HTTPResponse(status: .init(code: answer.status))
        head.headerFields[.contentType] = "application/json"
        let text = content(answer.content, of: object, former)
        return TransportResponse(
            to: request,
            head: head,
            body: ResponseBody(Array((text ?? "").utf8))
        )
    }

    private func content(_ content: Content, of object: FakeJSON?, _ former: FakeJSON?) -> String? {
        let key = object?["id"] ?? former?["id"]
        return switch content {
        case .object: object.map { "\($0)" }
        case .former: former.map { "\($0)" }
        case .key: key.map { #"{"id":\#($0)}"# } ?? "{}"
        case .time: #"{"updated_at":"2026-01-02T03:04:05Z"}"#
        case .empty: nil
        case .emptyList: "[]"
        case .text: #""ok""#
        case .error: #"{"errors":[{"detail":"not allowed"}]}"#
        case .other: #"{"id":2,"title":"task 2"}"#
        }
    }
}

extension String {
    fileprivate func trimmed(of character: Character) -> String {
        var text = self[...]
        while text.last == character { text = text.dropLast() }
        while text.first == character { text = text.dropFirst() }
        return String(text)
    }
}
