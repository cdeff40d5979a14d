package import HTTPTypes
import TidemarkJSON
import TidemarkModel

package import struct Foundation.URL

/// A request that changes an object.
///
/// It is complete before it is sent, and stored: an attempt after a lost response repeats it
/// exactly.
package struct WriteRequest: Sendable {
    package var method: HTTPRequest.Method
    package var url: URL

    /// The body; nil for a request without one.
    package var body: [UInt8]?

    /// The media type of the body.
    package var contentType = "application/json"

    /// The condition on the version of the object, as an entity tag in quotes.
    package var condition: Condition?

    /// The key with which the service recognizes a repeated request.
    package var idempotencyKey: String?

    /// A condition on the object.
    package enum Condition: Hashable, Sendable {
        /// The object has this version (`If-Match`).
        case version(String)
        /// The object does not exist (`If-None-Match: *`).
        case absent

        /// The header field.
        var field: (name: HTTPField.Name, value: String) {
            switch self {
            case .version(let tag): (.ifMatch, tag)
            case .absent: (.ifNoneMatch, "*")
            }
        }
    }

    package init(_ method: HTTPRequest.Method, url: URL) {
        self.method = method
        self.url = url
    }
}

extension Remote {
    /// Sends a request that changes an object, once.
    ///
    /// Nothing repeats it: after a failure that may have happened behind the service, the caller
    /// has to find out whether the change was applied.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - style: How the service recognizes repeated requests.
    /// - Returns: The response, whatever its status is.
    /// - Throws: ``RemoteError`` if no complete response was received, see
    ///   ``RemoteError/excludesEffect``; `CancellationError` if the task is cancelled.
    package func write(
        _ request: WriteRequest,
        style: PushStyle
    ) async throws -> WriteResponse {
        var fields = fields
        if let (name, value) = request.condition?.field { fields[name] = value }
        if let key = request.idempotencyKey, let idempotency = style.idempotency,
            let name = HTTPField.Name(idempotency.field)
        {
            fields[name] = idempotency.format == .quoted ? "\"\(key)\"" : key
        }
        return try await send(request, fields: fields)
    }

    /// Sends a request with these header fields and those that describe its body.
    ///
    /// - Throws: ``RemoteError/Code/linkRejected`` if its URL does not belong to the service:
    ///   credentials are sent with it, whatever has composed it.
    func send(_ request: WriteRequest, fields: HTTPFields) async throws -> WriteResponse {
        var fields = fields
        if request.body != nil { fields[.contentType] = request.contentType }
        // Not of all fields: a version or a key of this request may be a part of its URL.
        let secrets = service.secrets
        let sealed = secrets.sealed(
            try service.resolve(request.url.absoluteString, from: service.url, hiding: secrets)
        )
        guard let head = HTTPRequest(request.method, to: sealed, headerFields: fields) else {
            throw RemoteError.invalidURL(sealed.shown)
        }
        let response = try await writeTransport.send(head, body: request.body)
        return try await self.response(response)
    }

    /// Reads the body of a response to a change.
    private func response(_ response: TransportResponse) async throws -> WriteResponse {
        // What a service says about a rejected change is short, whatever it sends.
        let isSuccess = response.head.status.kind == .successful
        let bytes =
            isSuccess
            ? try await response.collect(upTo: min(limits.http.bodyBytes, limits.json.itemBytes))
            : try await response.beginning(64 << 10)
        let secrets = service.secrets(of: response.request)
        var written = WriteResponse(
            status: response.head.status,
            headers: response.head.headerFields,
            content: WriteResponse.Content(
                bytes,
                type: response.mediaType(hiding: secrets),
                limits: limits.json
            ),
            delay: RetryAfter.delay(
                in: response.head.headerFields,
                now: environment.now(),
                atMost: limits.http.pause
            ),
            secrets: secrets
        )
        if case .other(let type) = written.content, ["text", "text/plain"].contains(type),
            bytes.first != UInt8(ascii: "<")
        {
            written.text = ServiceMessage.inBody(bytes, hiding: secrets)
        }
        return written
    }
}

extension RemoteError {
    /// Whether the service has certainly not processed the request.
    ///
    /// No connection was made, the request was not sent because the service had requested a pause
    /// or its URL is not one of the service, or the service has redirected it.
    package var excludesEffect: Bool {
        [
            .unreachable, .tlsFailed, .invalidRequest, .rateLimited, .redirectRejected,
            .linkRejected,
        ].contains(code)
    }
}
