import Foundation
import TidemarkTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A minimal HTTP client for real services, which is independent of the code under test.
struct PlainHTTP: Sendable {
    /// A response of the service.
    struct Response: Sendable {
        let status: Int
        let json: FakeJSON?
        let next: URL?
    }

    /// The service did not do what a test requires.
    struct UnexpectedResponse: Error, CustomStringConvertible {
        let description: String
    }

    /// The `Authorization` header field of every request.
    var authorization: String?

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    /// Sends a request, and throws an `UnexpectedResponse` unless the status is successful.
    @discardableResult
    func send(_ method: String, _ url: URL, _ body: FakeJSON? = nil) async throws -> Response {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        if let body {
            request.httpBody = Data(body.bytes)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (bytes, response) = try await Self.session.data(for: request)
        let head = response as? HTTPURLResponse
        let status = head?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            let words = String(decoding: bytes.prefix(300), as: UTF8.self)
            throw UnexpectedResponse(description: "\(method) \(url) returned \(status): \(words)")
        }
        return Response(
            status: status,
            json: bytes.isEmpty ? nil : try FakeJSON(parsing: Array(bytes)),
            next: head?.value(forHTTPHeaderField: "Next-Page").flatMap { URL(string: $0) }
        )
    }
}
