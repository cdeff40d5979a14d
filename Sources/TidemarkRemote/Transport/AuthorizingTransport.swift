public import HTTPTypes

/// Adds header fields that may run out; where they are refused (401), asks for others, once.
///
/// Several requests that are refused at the same time are renewed by one question.
public struct AuthorizingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let wallet: CredentialStore?

    /// Wraps a transport; without credentials requests pass as they are.
    public init(_ wrapped: Wrapped, by credentials: Credentials?) {
        self.wrapped = wrapped
        wallet = credentials.map(CredentialStore.init)
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
private actor CredentialStore {
    struct Given: Sendable {
        let number: Int
        let fields: HTTPFields
    }

    private typealias Waiter = CheckedContinuation<Given, any Error>

    private let credentials: Credentials
    private var given: Given?
    private var question: Task<Void, Never>?
    /// Those who wait for the answer, by numbers that are given once.
    private var waiting: [Int: Waiter] = [:]
    private var last = 0

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// Fields that were given after those of a number, which were refused.
    ///
    /// Who is cancelled waits no longer; a question that nobody waits for is cancelled too.
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
