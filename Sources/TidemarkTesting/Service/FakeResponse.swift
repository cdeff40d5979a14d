public import HTTPTypes

/// What a fake service answers: a status, header fields, and JSON or other bytes.
public struct FakeResponse: Sendable {
    /// The body.
    public enum Body: Hashable, Sendable {
        /// A JSON value.
        case json(FakeJSON)
        /// Bytes of a media type.
        case bytes([UInt8], type: String)
        /// None: 204 and 304 have no body and say nothing of one.
        case nothing
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

    /// Sets or removes a header field of any name.
    mutating func set(_ name: String, _ value: String?) {
        guard let name = HTTPField.Name(name) else { return }
        fields[name] = value
    }

    /// Changes the JSON of the body; what is no JSON stays as it is.
    mutating func edit(_ change: (inout FakeJSON) -> Void) {
        switch body {
        case .json(var json):
            change(&json)
            body = .json(json)
        case .bytes(let bytes, let type):
            guard var json = FakeJSON(ifValid: bytes) else { return }
            change(&json)
            body = .bytes(json.bytes, type: type)
        case .nothing: break
        }
    }

    var bytes: [UInt8] {
        switch body {
        case .json(let json): json.bytes
        case .bytes(let bytes, _): bytes
        case .nothing: []
        }
    }

    func head(length: Int) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        switch body {
        case .json: head.headerFields[.contentType] = "application/json"
        case .bytes(_, let type): head.headerFields[.contentType] = type
        case .nothing: return head
        }
        head.headerFields[.contentLength] = "\(length)"
        return head
    }
}

extension FakeJSON {
    /// Reads a JSON text; nil where it is none.
    init?(ifValid bytes: some Sequence<UInt8>) {
        do { try self.init(parsing: bytes) } catch { return nil }
    }
}
