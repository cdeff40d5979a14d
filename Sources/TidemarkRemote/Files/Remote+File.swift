import HTTPTypes

package import struct Foundation.URL

/// The first bytes of a file that were received before.
package struct FilePart: Hashable, Sendable {
    /// The number of bytes.
    package let length: Int

    /// The strong entity tag of the file of which they are a part.
    package let entityTag: String

    package init(length: Int, entityTag: String) {
        self.length = length
        self.entityTag = entityTag
    }
}

extension Remote {
    /// Requests a file of the service.
    ///
    /// The URL must belong to the service, and so must every redirect: credentials are sent with
    /// the request, and a value in a row must not choose their receiver.
    ///
    /// Sources: RFC 9110, 13.1.5 (`If-Range`), 14.2 (`Range`) and 15.3.7 (206); RFC 9530
    /// (`Repr-Digest`).
    ///
    /// - Parameters:
    ///   - url: The URL, which may be relative to that of the service.
    ///   - part: The bytes that were received before; nil for the whole file.
    ///   - limit: The maximum length of the file.
    /// - Returns: The response, whose body is the rest of the file, or all of it if the file has
    ///   changed meanwhile.
    /// - Throws: ``RemoteError``; `CancellationError` if the task is cancelled.
    package func file(
        at url: URL,
        after part: FilePart? = nil,
        limit: Int
    ) async throws -> FileResponse {
        let response = try await send(url, part)
        guard let part else { return try await whole(response, limit: limit) }
        switch response.head.status {
        case .partialContent:
            let secrets = service.secrets(of: response.request)
            guard let file = FileResponse(response, after: part, hiding: secrets) else { break }
            try file.check(limit: limit)
            return file
        case .rangeNotSatisfiable: break
        default: return try await whole(response, limit: limit)
        }
        // The service has another file than the one whose part was received.
        return try await whole(send(url, nil), limit: limit)
    }

    private func send(_ url: URL, _ part: FilePart?) async throws -> TransportResponse {
        let target = try service.resolve(
            service.relocated(url).absoluteString,
            from: service.url,
            hiding: service.secrets
        )
        var fields = fields
        if service.headers[.accept] == nil { fields[.accept] = "*/*" }
        // The length, the digest and the ranges are those of the bytes that are stored.
        fields[.acceptEncoding] = "identity"
        if let part {
            fields[.range] = "bytes=\(part.length)-"
            fields[.ifRange] = part.entityTag
        }
        // Not of all fields: the entity tag may be a part of the URL.
        let sealed = SecretMask(of: service, and: service.headers).sealed(target)
        guard let request = HTTPRequest(.get, to: sealed, headerFields: fields) else {
            throw RemoteError.invalidURL(sealed.shown)
        }
        return try await transport.send(request, body: nil)
    }

    private func whole(_ response: TransportResponse, limit: Int) async throws -> FileResponse {
        try await expectSuccess(response)
        guard response.head.status == .ok else {
            throw RemoteError.invalidFile(response.request, because: "it has no content")
        }
        let file = FileResponse(response, hiding: service.secrets(of: response.request))
        try file.check(limit: limit)
        return file
    }
}
