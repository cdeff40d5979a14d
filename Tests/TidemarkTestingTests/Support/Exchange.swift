import HTTPTypes
import TidemarkTesting

/// A request of a test, in one line: `PATCH films/1/ {"title":"A"}`.
struct Exchange {
    var method: HTTPRequest.Method
    var path: String
    var body: String?
    var fields: KeyValuePairs<String, String> = [:]

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        _ fields: KeyValuePairs<String, String> = [:]
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.fields = fields
    }
}

extension FakeService {
    /// Sends requests one after the other, and returns the status and the body of each response,
    /// and then the changes that were committed and are not in an earlier transcript.
    ///
    /// `—` is the status of a response that was lost.
    func transcript(_ exchanges: Exchange...) async throws -> String {
        let known = audit.count
        var lines: [String] = []
        for exchange in exchanges {
            do {
                let response = try await send(
                    exchange.path,
                    exchange.method,
                    exchange.fields,
                    body: exchange.body
                )
                lines.append("\(response.status) \(response.text)")
            } catch {
                lines.append("—")
            }
        }
        lines += audit.dropFirst(known).map(\.description)
        return lines.joined(separator: "\n")
    }
}
