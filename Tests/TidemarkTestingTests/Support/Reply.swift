import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

/// An answer of a fake service, as a client sees it.
struct Reply {
    let status: Int
    let fields: HTTPFields
    let text: String

    /// A header field, by its name in any case.
    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
    }

    /// The body as JSON.
    func json() throws -> FakeJSON {
        try FakeJSON(parsing: text.utf8)
    }
}

extension FakeService {
    /// Asks for a path and query below the service's own path.
    func ask(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Reply {
        var request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "h",
            path: self.path + path
        )
        for (name, value) in fields {
            request.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let response = try await send(request, body: nil)
        let bytes = try await response.collect(upTo: 64 << 20)
        return Reply(
            status: response.head.status.code,
            fields: response.head.headerFields,
            text: String(decoding: bytes, as: UTF8.self)
        )
    }

    /// Asks for a URL of the service, as it stands in an answer.
    func follow(
        _ url: String,
        _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Reply {
        let beginning = "http://h\(path)"
        try #require(url.hasPrefix(beginning), "\(url)")
        return try await ask(String(url.dropFirst(beginning.count)), .get, fields)
    }

    /// A collection's objects and tombstones with their times, in milliseconds since the clock's
    /// beginning: `key created changed`.
    func times(_ name: String) -> [String] {
        guard let collection = contents[name] else { return ["none"] }
        func text(_ moment: Int64) -> String {
            let micros = moment - 1_500_000_000_000_000
            return micros % 1_000 == 0 ? "\(micros / 1_000)" : "\(micros)µ"
        }
        return (collection.records + collection.tombstones).map { record in
            let times = "\(record.key) \(text(record.created)) \(text(record.changed))"
            return record.isGone ? "\(times) gone" : times
        }
    }
}

/// A text as a part of a query.
func escaped(_ text: String) -> String {
    text.utf8.map { byte in
        let scalar = Character(Unicode.Scalar(byte))
        let isPlain = byte < 0x80 && (scalar.isLetter || scalar.isNumber || scalar == "-")
        return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
