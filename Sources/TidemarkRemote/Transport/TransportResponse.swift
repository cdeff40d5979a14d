public import HTTPTypes

/// The response to an HTTP request: its head, and its body as a stream.
///
/// A transport creates it; a wrapping transport may change it.
///
/// <!-- example: let request = HTTPRequest(method: .get, url: url) -->
/// ```swift
/// let response = TransportResponse(
///     to: request,
///     head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
///     body: ResponseBody(Array(#"[{"id": 1}]"#.utf8))
/// )
/// ```
public struct TransportResponse: Sendable {
    /// The request of this response: the last one if redirects were followed.
    public var request: HTTPRequest

    /// The status and the header fields.
    ///
    /// If the transport has decoded the body, it keeps `Content-Encoding`, or removes
    /// `Content-Length` as well: that is the length of the encoded body.
    public var head: HTTPResponse

    /// The body, in chunks as they are received.
    public var body: ResponseBody

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - head: The status and the header fields.
    ///   - body: The body. Defaults to an empty one.
    public init(to request: HTTPRequest, head: HTTPResponse, body: ResponseBody = ResponseBody([]))
    {
        self.request = request
        self.head = head
        self.body = body
    }

    /// Reads the whole body into memory.
    ///
    /// A stream can be read once. If it is too long, or fails, the bytes that were read are lost.
    ///
    /// <!-- example: let request = HTTPRequest(method: .get, url: url) -->
    /// ```swift
    /// let response = try await transport.send(request, body: nil)
    /// let bytes = try await response.collect(upTo: 1 << 20)    // 1 MiB
    /// ```
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: The bytes of the body, decoded.
    /// - Throws: ``RemoteError/Code/tooLarge`` if the body is longer, before it is read if the head
    ///   announces its length, and errors of the transport.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announced = announcedLength, announced > limit {
            throw RemoteError.tooLarge(request.label, limit: limit)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(announcedLength ?? 0, 64 << 20))
        for try await chunk in body {
            guard bytes.count + chunk.count <= limit else {
                throw RemoteError.tooLarge(request.label, limit: limit)
            }
            bytes.append(contentsOf: chunk)
        }
        return bytes
    }

    /// Reads the first bytes of the body, up to a limit, and discards the rest.
    package func beginning(_ limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
            if bytes.count >= limit { break }
        }
        return bytes
    }

    /// Returns the response with its body in memory, or with the first bytes of it if the body is
    /// longer than the limit.
    ///
    /// A body that is truncated within these bytes fails here, while the request can still be
    /// retried.
    package func buffered(upTo limit: Int) async throws -> TransportResponse {
        var response = self
        response.body = try await body.buffered(upTo: limit, expecting: announcedLength ?? 0)
        return response
    }

    /// The length of the decoded body, if the head specifies it.
    ///
    /// `Content-Length` of an encoded body is the length before it is decoded.
    package var announcedLength: Int? {
        guard head.headerFields[.contentEncoding] == nil else { return nil }
        guard let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length >= 0
        else {
            return nil
        }
        return length
    }
}
