public import HTTPTypes

/// What a service answered: the request it belongs to, a head and a body that streams.
public struct TransportResponse: Sendable {
    /// The request that was answered, the last one where redirects were followed.
    public var request: HTTPRequest

    /// The status and the header fields.
    public var head: HTTPResponse

    /// The bytes, read as they come.
    public var body: ResponseBody

    /// Creates a response.
    public init(to request: HTTPRequest, head: HTTPResponse, body: ResponseBody = ResponseBody([]))
    {
        self.request = request
        self.head = head
        self.body = body
    }

    /// Reads the whole body, of at most so many bytes.
    ///
    /// - Throws: ``RemoteError`` with ``RemoteError/Code/tooLarge`` where the body is longer, and
    ///   what the transport throws while the body comes.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announced = announcedLength, announced > limit {
            throw RemoteError.tooLarge(request, limit: limit)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(announcedLength ?? 0, 64 << 20))
        for try await chunk in body {
            guard bytes.count + chunk.count <= limit else {
                throw RemoteError.tooLarge(request, limit: limit)
            }
            bytes.append(contentsOf: chunk)
        }
        return bytes
    }

    /// Reads at most so many bytes of the body and lets the rest go.
    package func beginning(_ limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
            if bytes.count >= limit { break }
        }
        return bytes
    }

    /// The same response with a body that was read already, or one whose first bytes were where it
    /// is longer than the limit.
    ///
    /// A body that is cut within these bytes fails here, where the request can still be repeated.
    package func buffered(upTo limit: Int) async throws -> TransportResponse {
        var response = self
        response.body = try await body.buffered(upTo: limit, expecting: announcedLength ?? 0)
        return response
    }

    /// The length of the body that follows, where the head tells it of the decoded bytes.
    package var announcedLength: Int? {
        guard head.headerFields[.contentEncoding] == nil else { return nil }
        return head.headerFields[.contentLength].flatMap { Int($0) }
    }
}
