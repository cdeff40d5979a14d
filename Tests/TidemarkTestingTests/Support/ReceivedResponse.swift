import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

/// A response of a fake service, as a client receives it.
struct ReceivedResponse {
    let status: Int
    let fields: HTTPFields
    let text: String

    /// The value of a header field; its name is case-insensitive.
    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
    }

    /// Parses the body as JSON.
    func json() throws -> FakeJSON {
        try FakeJSON(parsing: text.utf8)
    }
}

extension FakeService {
    /// Requests a path and query relative to the path of the service.
    func send(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        _ fields: KeyValuePairs<String, String> = [:],
        body: String? = nil
    ) async throws -> ReceivedResponse {
        var request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "h",
            path: self.path + path
        )
        for (name, value) in fields {
            request.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let response = try await send(request, body: body.map { Array($0.utf8) })
        let bytes = try await response.collect(upTo: 64 << 20)
        return ReceivedResponse(
            status: response.head.status.code,
            fields: response.head.headerFields,
            text: String(decoding: bytes, as: UTF8.self)
        )
    }

    /// Requests a URL of the service that a response contains.
    func follow(
        _ url: String,
        _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> ReceivedResponse {
        let beginning = "http://h\(path)"
        try #require(url.hasPrefix(beginning), "\(url)")
        return try await send(String(url.dropFirst(beginning.count)), .get, fields)
    }

    /// Returns a collection's objects and tombstones with their times, in milliseconds since the
    /// start of the clock: `key created changed`.
    func times(_ name: String) -> [String] {
        guard let collection = contents[name] else { return ["none"] }
        func text(_ moment: Int64) -> String {
            let micros = moment - 1_500_000_000_000_000
            return micros % 1_000 == 0 ? "\(micros / 1_000)" : "\(micros)µ"
        }
        return (collection.records + collection.tombstones).map { record in
            let times = "\(record.key) \(text(record.created)) \(text(record.changed))"
            return record.isDeleted ? "\(times) deleted" : times
        }
    }
}

/// Returns a text percent-encoded for a query.
func escaped(_ text: String) -> String {
    text.utf8.map { byte in
        let scalar = Character(Unicode.Scalar(byte))
        let isPlain = byte < 0x80 && (scalar.isLetter || scalar.isNumber || scalar == "-")
        return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
