public import HTTPTypes

/// A transport that adds header fields which expire.
///
/// If the service rejects them with 401, it renews them and repeats the request once.
///
/// Requests that are rejected at the same time share one renewal.
public struct AuthorizingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let wallet: CredentialStore?

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - wrapped: The transport that sends the requests.
    ///   - credentials: Supplies the header fields. If nil, requests are passed on unchanged.
    public init(_ wrapped: Wrapped, by credentials: Credentials?) {
        self.wrapped = wrapped
        wallet = credentials.map(CredentialStore.init)
    }

    /// Sends a request with the header fields, and again with renewed ones if the service responds
    /// with 401.
    ///
    /// - Throws: Errors of the credentials and of the wrapped transport.
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

/// The current header fields of the credentials.
private actor CredentialStore {
    struct Given: Sendable {
        let number: Int
        let fields: HTTPFields
    }

    private typealias Waiter = CheckedContinuation<Given, any Error>

    private let credentials: Credentials
    private var given: Given?
    private var question: Task<Void, Never>?
    /// The callers that wait for the renewal, by unique numbers.
    private var waiting: [Int: Waiter] = [:]
    private var last = 0

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// Returns header fields newer than the rejected ones of the given number, and requests them if
    /// necessary.
    ///
    /// A cancelled caller stops waiting. A renewal that no caller waits for is cancelled.
    func fields(after refused: Int) async throws -> Given {
        if let given, given.number > refused { return given }
        last += 1
        let number = last
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard !Task.isCancelled else {
                    return waiter.resume(throwing: CancellationError())
                }
                waiting[number] = waiter
                if question == nil { ask(after: refused) }
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    private func ask(after refused: Int) {
        let credentials = credentials
        question = Task {
            let answer: Result<Given, any Error>
            do {
                let fields = try await credentials.fields(refused > 0)
                answer = .success(Given(number: refused + 1, fields: fields))
            } catch {
                answer = .failure(error)
            }
            // A cancelled renewal has no callers, and a newer one may have started.
            if !Task.isCancelled { answered(answer) }
        }
    }

    private func answered(_ answer: Result<Given, any Error>) {
        question = nil
        if case .success(let fields) = answer { given = fields }
        for waiter in waiting.values { waiter.resume(with: answer) }
        waiting = [:]
    }

    private func leave(_ number: Int) {
        waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
        guard waiting.isEmpty else { return }
        question?.cancel()
        question = nil
    }
}
