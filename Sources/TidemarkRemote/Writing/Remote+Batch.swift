package import Foundation
import HTTPTypes
import TidemarkJSON
package import TidemarkModel

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
        // The transport inserts secrets into the URL of a request, not into its body.
        request.body = batch.body(of: requests, filledBy: service.secrets)
        let response = try await send(request, fields: fields)
        switch response.status.code {
        case 200...299:
            let members = response.members(
                to: requests,
                in: batch.format,
                limits: limits,
                now: environment.now()
            )
            return members.map { .members($0) } ?? .whole(response)
        case 400, 413: return .tooLarge
        default: return .whole(response)
        }
    }
}

extension WriteResponse {
    /// Returns the responses in the document of a batch.
    ///
    /// - Parameters:
    ///   - requests: The changes.
    ///   - format: The format of the batch.
    ///   - limits: The limits of a document, and of the delay that the service may request.
    ///   - now: The current time, with which dates are compared.
    /// - Returns: The response to each change. A document of another shape has none: the outcome of
    ///   each change is then unknown. Nil without a document.
    package func members(
        to requests: [WriteRequest],
        in format: PushStyle.Batch.Format,
        limits: Limits,
        now: Date
    ) -> [WriteResponse?]? {
        document?.withRoot { root in
            var elements: [JSONNode] = []
            if let list = format.list(in: root), list.kind == .array {
                elements = Array(list.elements)
            }
            // Without a response to each, it is unknown which one belongs to which change.
            if elements.count != requests.count { elements = [] }
            let responses = requests.indices.map { index -> WriteResponse? in
                guard index < elements.count,
                    let member = format.response(in: elements[index], to: requests[index])
                else { return nil }
                return WriteResponse(
                    status: .init(code: member.status),
                    headers: member.fields,
                    content: Self.content(of: member.body, limits: limits.json),
                    delay: RetryAfter.delay(
                        in: member.fields,
                        now: now,
                        atMost: limits.http.pause
                    ),
                    secrets: secrets
                )
            }
            let undone = responses.lastIndex { $0.map(format.undoesEarlierChanges) ?? false } ?? 0
            return responses.indices.map { $0 < undone ? nil : responses[$0] }
        }
    }

    private static func content(of body: JSONNode?, limits: JSONLimits) -> Content {
        guard let body, body.kind != .null else { return .empty }
        return Content(Array(body.source), type: "application/json", limits: limits)
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
    ///
    /// - Parameters:
    ///   - requests: The changes.
    ///   - secrets: Inserts secrets into the paths of the changes.
    /// - Returns: The body, which must not be stored.
    fileprivate func body(
        of requests: [WriteRequest],
        filledBy secrets: SecretMask
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("requests")
        json.beginArray()
        for request in requests {
            write(request, to: secrets.filled(request.url), into: &json)
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private func write(_ request: WriteRequest, to url: URL, into json: inout JSONWriter) {
        json.beginObject()
        json.key("method")
        json.string(request.method.rawValue)
        json.key("path")
        json.string(url.pathAndQuery)
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
    var pathAndQuery: String {
        let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (parts?.percentEncodedPath ?? path) + query
    }
}
