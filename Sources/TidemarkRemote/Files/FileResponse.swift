import Foundation
package import HTTPTypes

/// The response to a request for a file: what is known about the file, and its bytes.
package struct FileResponse: Sendable {
    /// The request, for messages.
    package let request: HTTPRequest

    /// The bytes of the file, from ``offset`` to its end.
    package let body: ResponseBody

    /// The offset of the first byte of ``body``: 0, unless a download was resumed.
    package let offset: Int

    /// The length of the whole file; nil if the service does not specify it.
    package let length: Int?

    /// The media type; nil if the service does not specify it.
    package let type: String?

    /// The entity tag with which the download can be resumed; nil if it cannot.
    package let entityTag: String?

    /// The SHA-256 digest of the whole file; nil if the service does not specify it.
    package let digest: [UInt8]?

    /// Creates the response with a whole file.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - secrets: The secrets of the request: what is known about a file is stored.
    init(_ response: TransportResponse, hiding secrets: SecretMask) {
        self.init(response, hiding: secrets, offset: 0, length: response.announcedLength)
    }

    /// Creates the response with the rest of a file; nil if it is not the rest of that part.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - part: The bytes that were received before.
    ///   - secrets: The secrets of the request.
    init?(_ response: TransportResponse, after part: FilePart, hiding secrets: SecretMask) {
        guard let range = response.contentRange, range.start == part.length,
            [nil, part.entityTag].contains(response.head.headerFields[.eTag])
        else { return nil }
        self.init(response, hiding: secrets, offset: range.start, length: range.length)
    }

    private init(
        _ response: TransportResponse,
        hiding secrets: SecretMask,
        offset: Int,
        length: Int?
    ) {
        let fields = response.head.headerFields
        let isEncoded = fields[.contentEncoding].map { $0 != "identity" } ?? false
        request = response.request
        body = response.body
        self.offset = offset
        self.length = length
        type = response.mediaType(hiding: secrets)
        // A weak tag does not identify bytes (RFC 9110, 13.1.5), and that of an encoded body does
        // not identify those that it is decoded to.
        entityTag = fields[.eTag].flatMap { $0.hasPrefix("\"") && !isEncoded ? $0 : nil }
        digest = isEncoded ? nil : fields.digest("Repr-Digest")
    }

    /// Checks what is known before the body is read.
    ///
    /// - Throws: ``RemoteError/Code/tooLarge`` if the file is longer than the limit;
    ///   ``RemoteError/Code/invalidFile`` if the response is a web page.
    func check(limit: Int) throws {
        if let length, length > limit { throw tooLarge(limit: limit) }
        let suffix = request.url?.pathExtension.lowercased() ?? ""
        guard type != "text/html" || ["html", "htm"].contains(suffix) else {
            throw RemoteError.invalidFile(request, because: "it is a web page (HTML)")
        }
    }

    /// Returns the error for a file that is longer than a limit.
    package func tooLarge(limit: Int) -> RemoteError {
        RemoteError(
            .tooLarge,
            "\(request.label): the file is longer than \(limit) bytes.",
            hint: "Raise `Limits.http.assetBytes` if it is needed."
        )
    }

    /// Returns the error for a body that ended before the file did.
    package var truncated: RemoteError { .truncated(request) }

    /// Returns the error for a file that does not have the digest that the service specifies.
    package var mismatched: RemoteError {
        .invalidFile(request, because: "its SHA-256 digest differs from the one of the service")
    }
}

extension RemoteError {
    /// Returns the error for a response that is not the file of its URL.
    static func invalidFile(_ request: HTTPRequest, because reason: String) -> RemoteError {
        RemoteError(
            .invalidFile,
            "\(request.label) did not return the file: \(reason).",
            hint: "Check the URL; the response may be a sign-in page, or damaged."
        )
    }
}

extension TransportResponse {
    /// The first position and the complete length of `Content-Range`; nil if it is invalid.
    fileprivate var contentRange: (start: Int, length: Int?)? {
        guard let field = head.headerFields[.contentRange], field.hasPrefix("bytes ") else {
            return nil
        }
        let parts = field.dropFirst("bytes ".count).split(separator: "/")
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-").compactMap { Int($0) }
        // The length of a file that ends here, one more than the last position, is a number, too.
        guard bounds.count == 2, bounds[0] >= 0, bounds[0] <= bounds[1], bounds[1] < .max else {
            return nil
        }
        let end = bounds[1] + 1
        guard parts[1] != "*" else { return (bounds[0], end) }
        guard let length = Int(parts[1]), length >= end else { return nil }
        return (bounds[0], length)
    }
}

extension HTTPFields {
    /// Returns the SHA-256 digest in a field of RFC 9530, such as `sha-256=:…:`.
    fileprivate func digest(_ name: String) -> [UInt8]? {
        guard let name = HTTPField.Name(name), let field = self[name] else { return nil }
        for item in field.split(separator: ",") {
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "sha-256" else {
                continue
            }
            let text = pair[1].prefix { $0 != ";" }.filter { $0 != " " }
            guard text.count > 1, text.hasPrefix(":"), text.hasSuffix(":") else { continue }
            return Data(base64Encoded: String(text.dropFirst().dropLast())).map(Array.init)
        }
        return nil
    }
}
