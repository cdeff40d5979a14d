public import HTTPTypes

/// What a fake service answers: a status, header fields, and JSON or other bytes.
public struct FakeResponse: Sendable {
    /// The body.
    public enum Body: Hashable, Sendable {
        /// A JSON value.
        case json(FakeJSON)
        /// Bytes of a media type.
        case bytes([UInt8], type: String)
    }

    /// The status.
    public var status: HTTPResponse.Status

    /// The header fields, beside those of the body.
    public var fields: HTTPFields

    /// The body.
    public var body: Body

    /// Creates a response.
    public init(_ body: Body, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a response that is JSON.
    public init(_ json: FakeJSON, status: HTTPResponse.Status = .ok) {
        self.init(.json(json), status: status)
    }

    /// Creates a response that is a web page.
    public static func html(_ text: String, status: HTTPResponse.Status = .ok) -> FakeResponse {
        FakeResponse(.bytes(Array(text.utf8), type: "text/html; charset=utf-8"), status: status)
    }

    var bytes: [UInt8] {
        switch body {
        case .json(let json): json.bytes
        case .bytes(let bytes, _): bytes
        }
    }

    func head(length: Int) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        head.headerFields[.contentLength] = "\(length)"
        switch body {
        case .json: head.headerFields[.contentType] = "application/json"
        case .bytes(_, let type): head.headerFields[.contentType] = type
        }
        return head
    }
}
