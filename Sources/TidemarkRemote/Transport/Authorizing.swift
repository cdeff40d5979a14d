public import HTTPTypes

/// Adds header fields that may run out; where they are refused (401), asks for others, once.
///
/// Several requests that are refused at the same time are renewed by one question.
public struct Authorizing<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let wallet: Wallet?

    /// Wraps a transport; without credentials requests pass as they are.
    public init(_ wrapped: Wrapped, by credentials: Credentials?) {
        self.wrapped = wrapped
        wallet = credentials.map(Wallet.init)
    }

    /// Sends a request with the fields, and once again with others where those are refused.
    ///
    /// - Throws: What the credentials and the wrapped transport throw.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard let wallet else { return try await wrapped.send(request, body: body) }
        let first = try await wallet.fields(after: 0)
        let response = try await wrapped.send(request.carrying(first.fields), body: body)
        guard response.head.status == .unauthorized else { return response }
        let second = try await wallet.fields(after: first.number)
        return try await wrapped.send(request.carrying(second.fields), body: body)
    }
}

extension HTTPRequest {
    fileprivate func carrying(_ fields: HTTPFields) -> HTTPRequest {
        var request = self
        for field in fields { request.headerFields[field.name] = field.value }
        return request
    }
}

/// The fields that were given last.
private actor Wallet {
    struct Given: Sendable {
        let number: Int
        let fields: HTTPFields
    }

    private let credentials: Credentials
    private var given: Given?
    private var asking: Task<Given, any Error>?

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// Fields that were given after those of a number, which were refused.
    func fields(after refused: Int) async throws -> Given {
        if let given, given.number > refused { return given }
        if let asking { return try await asking.value }
        let credentials = credentials
        let task = Task {
            Given(number: refused + 1, fields: try await credentials.fields(refused > 0))
        }
        asking = task
        defer { asking = nil }
        let given = try await task.value
        self.given = given
        return given
    }
}
