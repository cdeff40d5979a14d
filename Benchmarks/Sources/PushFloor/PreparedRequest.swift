import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A request as a push has sent it.
struct PreparedRequest: Decodable {
    let method: String
    let url: String
    let fields: [String: String]
    let body: String

    /// Reads the requests in a file, one in each line.
    static func read(_ path: String) throws -> [HTTPClientRequest] {
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
        let decoder = JSONDecoder()
        return try lines.map { line in
            let prepared = try decoder.decode(Self.self, from: Data(line))
            var request = HTTPClientRequest(url: prepared.url)
            request.method = HTTPMethod(rawValue: prepared.method)
            for (name, value) in prepared.fields { request.headers.add(name: name, value: value) }
            if !prepared.body.isEmpty { request.body = .bytes(Array(prepared.body.utf8)) }
            return request
        }
    }
}
