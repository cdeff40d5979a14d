package import HTTPTypes

/// A response of a fake service: a status, header fields and a body.
package struct FakeResponse: Sendable {
    /// The body of a response.
    package enum Body: Hashable, Sendable {
        /// A JSON value.
        case json(FakeJSON)
        /// Bytes of a media type.
        case bytes([UInt8], type: String)
        /// No body and no header fields for it, as in responses with status 204 or 304.
        case empty
    }

    /// The status.
    package var status: HTTPResponse.Status

    /// The header fields, except `Content-Type` and `Content-Length`, which follow from the body.
    package var fields: HTTPFields

    /// The body.
    package var body: Body

    /// Creates a response.
    package init(_ body: Body, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a response with a JSON body.
    package init(_ json: FakeJSON, status: HTTPResponse.Status = .ok) {
        self.init(.json(json), status: status)
    }

    /// Creates a response with an HTML body.
    package static func html(_ text: String, status: HTTPResponse.Status = .ok) -> FakeResponse {
        FakeResponse(.bytes(Array(text.utf8), type: "text/html; charset=utf-8"), status: status)
    }

    /// Sets a header field, or removes it if the value is nil.
    ///
    /// An invalid name is ignored.
    package mutating func set(_ name: String, to value: String?) {
        guard let name = HTTPField.Name(name) else { return }
        fields[name] = value
    }

    /// Changes the JSON of the body.
    ///
    /// A body that is not valid JSON is left unchanged.
    package mutating func edit(_ change: (inout FakeJSON) -> Void) {
        switch body {
        case .json(var json):
            change(&json)
            body = .json(json)
        case .bytes(let bytes, let type):
            guard var json = FakeJSON(ifValid: bytes) else { return }
            change(&json)
            body = .bytes(json.bytes, type: type)
        case .empty: break
        }
    }

    package var bytes: [UInt8] {
        switch body {
        case .json(let json): json.bytes
        case .bytes(let bytes, _): bytes
        case .empty: []
        }
    }

    func head(length: Int) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        switch body {
        case .json: head.headerFields[.contentType] = "application/json"
        case .bytes(_, let type): head.headerFields[.contentType] = type
        case .empty: return head
        }
        head.headerFields[.contentLength] = "\(length)"
        return head
    }
}

extension FakeJSON {
    /// Parses a JSON text; nil if it is invalid.
    package init?(ifValid bytes: some Sequence<UInt8>) {
        do { try self.init(parsing: bytes) } catch { return nil }
    }
}
