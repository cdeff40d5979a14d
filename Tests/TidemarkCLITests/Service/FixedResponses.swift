import Foundation
import HTTPTypes
import TidemarkTesting

/// A service with fixed responses: bodies and header fields by path and query.
struct FixedResponses: Sendable {
    var bodies: [String: String]
    var fields: [String: [String: String]] = [:]
    var type = "application/json"

    /// The header field that requests must have; others are rejected with status 401.
    var required: (name: String, value: String)?

    /// The service, in whose responses `BASE/` is replaced by its own URL.
    var service: FakeService {
        FakeService(
            data: FakeData([]),
            dialect: FakeDialect(respond: { request, _ in response(to: request) })
        )
    }

    private func response(to request: FakeDialect.Request) -> FakeResponse {
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        if let required, let name = HTTPField.Name(required.name),
            request.http.headerFields[name] != required.value
        {
            return FakeResponse(["detail": "no token"], status: .unauthorized)
        }
        let address = request.path + (query.isEmpty ? "" : "?\(query)")
        guard let text = bodies[address] else {
            return FakeResponse(["detail": .string(address)], status: .notFound)
        }
        let body = Array(text.replacing("BASE/", with: request.base).utf8)
        var response = FakeResponse(.bytes(body, type: type))
        for (name, value) in fields[address] ?? [:] {
            guard let name = HTTPField.Name(name) else { continue }
            response.fields[name] = value.replacing("BASE/", with: request.base)
        }
        return response
    }
}
