import Foundation
import HTTPTypes
import TidemarkJSON
import TidemarkModel

/// The response to a request that contains several changes.
package enum BatchResponse: Sendable {
    /// The response to each change, in their order; nil for a change without one.
    case members([WriteResponse?])

    /// The service has processed none of the changes, because it accepts fewer in one request.
    case tooLarge

    /// The response to the request as a whole: see ``WriteOutcome/init(toBatch:style:)``.
    case whole(WriteResponse)
}

extension Remote {
    /// Sends several changes in one request, once.
    ///
    /// Sources: Kinto HTTP API 1.x, “Batch operations”; Parse REST API, “Batch operations”. Neither
    /// applies all or none of the changes: each has a response of its own.
    ///
    /// - Parameters:
    ///   - requests: The changes. Their idempotency keys are not sent, because Parse ignores the
    ///     header fields of a member.
    ///   - batch: The format of the request, and its path.
    /// - Returns: The responses.
    /// - Throws: As ``write(_:style:)``.
    package func write(
        _ requests: [WriteRequest],
        in batch: PushStyle.Batch
    ) async throws -> BatchResponse {
        let url = try service.url(of: RemoteResource(entity: "", path: batch.path))
        var request = WriteRequest(.post, url: url)
        request.body = batch.body(of: requests)
        let response = try await send(request, fields: fields)
        switch response.status.code {
        case 200...299:
            guard let document = response.document else { return .whole(response) }
            return .members(members(of: document, to: requests, in: batch.format, response))
        case 400, 413: return .tooLarge
        default: return .whole(response)
        }
    }

    /// Returns the responses in the document of a batch.
    ///
    /// A document of another shape has none: the outcome of each change is then unknown.
    private func members(
        of document: JSONDocument,
        to requests: [WriteRequest],
        in format: PushStyle.Batch.Format,
        _ whole: WriteResponse
    ) -> [WriteResponse?] {
        document.withRoot { root in
            var elements: [JSONNode] = []
            if let list = format.list(in: root), list.kind == .array {
                elements = Array(list.elements)
            }
            // Without a response to each, it is unknown which one belongs to which change.
            if elements.count != requests.count { elements = [] }
            return requests.indices.map { index in
                guard index < elements.count,
                    let member = format.response(in: elements[index], to: requests[index])
                else { return nil }
                return WriteResponse(
                    status: .init(code: member.status),
                    headers: member.fields,
                    content: content(of: member.body),
                    delay: RetryAfter.wait(in: member.fields, now: environment.now()),
                    secrets: whole.secrets
                )
            }
        }
    }

    private func content(of body: JSONNode?) -> WriteResponse.Content {
        guard let body, body.kind != .null else { return .empty }
        let bytes = Array(body.source)
        guard
            case .success(let document) = Result(catching: {
                try JSONDocument(bytes, limits: limits.json)
            })
        else { return .other(type: "application/json") }
        return .json(document)
    }
}

/// The response to a change in a batch.
struct BatchMember {
    let status: Int
    var fields = HTTPFields()

    /// The body; nil without one.
    let body: JSONNode?
}

extension PushStyle.Batch {
    /// Returns the body of a request with several changes.
    fileprivate func body(of requests: [WriteRequest]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("requests")
        json.beginArray()
        for request in requests { write(request, into: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private func write(_ request: WriteRequest, into json: inout JSONWriter) {
        json.beginObject()
        json.key("method")
        json.string(request.method.rawValue)
        json.key("path")
        json.string(request.url.pathAndQuery)
        if let (name, value) = request.condition?.field {
            json.key("headers")
            json.beginObject()
            json.key(name.rawName)
            json.string(value)
            json.endObject()
        }
        if let body = request.body {
            json.key("body")
            body.withUnsafeBytes { json.raw($0) }
        }
        json.endObject()
    }
}

extension URL {
    /// The path as it is encoded in the URL, with the query.
    fileprivate var pathAndQuery: String {
        let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (parts?.percentEncodedPath ?? path) + query
    }
}

extension WriteOutcome {
    /// Returns what the response to a batch as a whole means for each of its changes.
    ///
    /// - Parameters:
    ///   - response: The response, which contains none to the changes themselves.
    ///   - style: What the service means by its statuses.
    package init(toBatch response: WriteResponse, style: PushStyle) {
        let outcome = WriteOutcome(response, to: .create, style: style)
        switch outcome {
        case .applied: self = .uncertain(.foreign)
        // It is about the batch: an object that does not exist would be one to delete.
        case .missing, .exists, .stale, .rejected: self = .denied(.unsupported)
        case .denied, .postponed, .uncertain: self = outcome
        }
    }
}
