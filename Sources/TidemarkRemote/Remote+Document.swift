import HTTPTypes
import TidemarkModel

extension Remote {
    /// The JSON text that a response brings.
    ///
    /// A blank body is no list, not even an empty one: what is stored would be deleted on no proof.
    ///
    /// - Throws: ``RemoteError`` where the status tells a failure or the body is no JSON.
    func document(of response: TransportResponse) async throws -> [UInt8] {
        guard response.head.status.kind == .successful else {
            let words = ServiceWords.inBody(try await response.beginning(64 << 10))
            throw RemoteError.status(response, words: words, environment: environment)
        }
        let bytes = try await response.collect(upTo: limits.bodyBytes)
        guard let first = bytes.first(where: { !Self.blanks.contains($0) }) else {
            throw notJSON(response, "nothing")
        }
        try checkJSON(response, first: first)
        return bytes
    }

    private func checkJSON(_ response: TransportResponse, first: UInt8) throws {
        let type = response.head.headerFields[.contentType].map(Self.mediaType)
        guard let type else {
            guard Self.beginnings.contains(first) else {
                throw notJSON(response, "something that is no JSON")
            }
            return
        }
        let isJSON = type == "application/json" || type == "text/json" || type.hasSuffix("+json")
        if !isJSON {
            throw notJSON(response, type == "text/html" ? "a web page (HTML)" : type)
        }
    }

    private func notJSON(_ response: TransportResponse, _ what: String) -> RemoteError {
        let status = response.head.status.code
        let shown = ServiceWords.oneLine(what, limit: 100)
        return RemoteError(
            .notJSON,
            "\(response.request.label) was answered \(status) with \(shown), not with JSON.",
            hint: "Check the service's URL and the path; a sign-in page may stand in between.",
            status: status
        )
    }

    private static func mediaType(_ field: String) -> String {
        field.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let beginnings = Set("{[\"-0123456789tfn\u{FEFF}".utf8)
}
