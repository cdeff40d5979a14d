package import HTTPTypes
import TidemarkModel
package import TidemarkRemote

extension FakeService {
    /// The result of a request.
    package enum Outcome: Sendable {
        case response(TransportResponse)
        /// A response whose connection is reset at the end of the body.
        case reset(TransportResponse)
        case connectionClosed
        case noResponse
    }

    /// Returns what the service does with a request.
    package func outcome(of request: HTTPRequest, body: [UInt8]?) async throws -> Outcome {
        let parsed = FakeDialect.Request(request, body: body, below: path, linkBase: linkBase)
        let (number, fault, additions) = state.withLock { state in
            let number = state.requests.append(request, body: body)
            return (number, state.takeFault(for: parsed), state.takeAdditions(for: parsed))
        }
        let delay = additions.compactMap(\.delay).reduce(.zero, +)
        if delay > .zero { try await environment.sleep(delay) }
        let now = environment.now()
        let response = state.withLock { state -> FakeResponse? in
            defer { state.applyScheduledChanges(for: parsed) }
            guard fault?.hasNoResponse != true else { return nil }
            state.setTime(now)
            let isExpired = state.hasExpired(parsed, with: fault)
            var response =
                faulty(isExpired ? .status(401) : fault, at: state.contents.now)
                ?? state.response(to: parsed, in: dialect) {
                    processed(parsed, with: fault, in: &$0)
                }
            response.fields[.date] = DateFormat.rfc1123.string(from: state.contents.now)
            for case .header(let name, let value) in additions { response.set(name, to: value) }
            state.requests.record(status: response.status.code, at: number)
            return response
        }
        guard let response, fault != .lostResponse else {
            return fault == .noResponse ? .noResponse : .connectionClosed
        }
        let served = served(response, to: parsed, with: fault)
        if case .reset? = fault { return .reset(served) }
        return .response(served)
    }

    /// Processes a request, with what a fault does to it.
    private func processed(
        _ request: FakeDialect.Request,
        with fault: FakeFault?,
        in contents: inout FakeContents
    ) -> FakeResponse {
        switch fault {
        case .concurrentUpdate(let members)?:
            // The path of a dialect may have more steps than the collection and the key.
            let paths = request.steps.dropLast().map { "\($0)/\(request.steps.last ?? "")" }
            contents.change { data in
                guard let path = paths.last(where: { data[$0] != nil }) else { return }
                data[path] = data[path]?.merging(members)
            }
        case .duplicateDelivery?:
            _ = dialect.response(to: request, from: &contents)
        case .partialBatch(let members)?:
            guard let part = request.withBatch(of: members) else { break }
            _ = dialect.response(to: part, from: &contents)
            return Self.failure(500)
        default: break
        }
        let response = dialect.response(to: request, from: &contents)
        guard case .failingAfterCommit(let status)? = fault else { return response }
        return Self.failure(status)
    }

    private static func failure(_ status: Int) -> FakeResponse {
        FakeResponse(["detail": "This error was injected."], status: .init(code: status))
    }

    /// Returns the response that a fault substitutes; nil if the normal response is used.
    private func faulty(_ fault: FakeFault?, at now: Int64) -> FakeResponse? {
        switch fault {
        case .status(let code, let wait)?:
            var response = Self.failure(code)
            if code == 401 { response.fields[.wwwAuthenticate] = "Basic realm=\"api\"" }
            response.fields[.retryAfter] = wait?.text(at: now)
            return response
        case .html?: return .html("<!doctype html><title>Sign in</title><h1>Sign in</h1>")
        case .body(let text, let type)?: return FakeResponse(.bytes(Array(text.utf8), type: type))
        case .redirect(let address)?:
            var response = FakeResponse.html("", status: .found)
            response.fields[.location] = address
            return response
        case .header?, .contentType?, .cyclicNextLink?, .duplicatedBody?, .shortBody?,
            .truncatedBody?,
            .reset?, .slowBody?, .stall?, .connectionClosed?, .noResponse?, .latency?,
            .lostResponse?, .failingAfterCommit?, .duplicateDelivery?, .concurrentUpdate?,
            .partialBatch?, .expiredCredentials?, nil:
            return nil
        }
    }

    private func served(
        _ response: FakeResponse,
        to request: FakeDialect.Request,
        with fault: FakeFault?
    ) -> TransportResponse {
        var response = response
        if fault == .cyclicNextLink { dialect.loop(&response, request) }
        if case .json(let json) = response.body { response.body = .json(request.served(json)) }
        let bytes = fault?.delivered(response.bytes) ?? response.bytes
        var head = response.head(length: bytes.count)
        if case .contentType(let type)? = fault { head.headerFields[.contentType] = type }
        if request.http.method == .head { return TransportResponse(to: request.http, head: head) }
        return TransportResponse(
            to: request.http,
            head: head,
            body: body(bytes, of: request.http, with: fault)
        )
    }

    /// Returns the body, delivered as a fault specifies.
    private func body(
        _ bytes: [UInt8],
        of request: HTTPRequest,
        with fault: FakeFault?
    ) -> ResponseBody {
        switch fault {
        case .truncatedBody(let length)?, .reset(let length)?:
            ResponseBody(
                chunks: FaultyBody(bytes.prefix(max(0, length)), then: .truncated(request))
            )
        case .stall(let length)?:
            ResponseBody(
                chunks: FaultyBody(
                    bytes.prefix(max(0, length)),
                    then: .timedOut(request, waitingFor: .data, limits: Limits())
                )
            )
        case .slowBody(let count, let wait)?:
            ResponseBody(
                chunks: FaultyBody(bytes[...], by: count) { [environment] in
                    try await environment.sleep(wait)
                }
            )
        case .status?, .html?, .body?, .redirect?, .header?, .contentType?, .cyclicNextLink?,
            .duplicatedBody?, .shortBody?, .connectionClosed?, .noResponse?, .latency?,
            .lostResponse?, .failingAfterCommit?, .duplicateDelivery?, .concurrentUpdate?,
            .partialBatch?, .expiredCredentials?, nil:
            ResponseBody(bytes)
        }
    }
}

extension FakeFault {
    /// Whether no response is created at all.
    fileprivate var hasNoResponse: Bool { self == .connectionClosed || self == .noResponse }

    /// Returns the bytes of the body that a fault sends.
    fileprivate func delivered(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .duplicatedBody: bytes + bytes
        case .shortBody(let length): Array(bytes.prefix(max(0, length)))
        case .status, .html, .body, .redirect, .header, .contentType, .cyclicNextLink,
            .truncatedBody,
            .reset, .slowBody, .stall, .connectionClosed, .noResponse, .latency, .lostResponse,
            .failingAfterCommit, .duplicateDelivery, .concurrentUpdate, .partialBatch,
            .expiredCredentials:
            bytes
        }
    }

    fileprivate var delay: Duration? {
        guard case .latency(let duration) = self else { return nil }
        return duration
    }
}

extension FakeFault.Wait {
    fileprivate func text(at now: Int64) -> String {
        switch self {
        case .seconds(let seconds): "\(seconds)"
        case .date(let delay):
            DateFormat.rfc1123.string(from: now + Int64(delay / .microseconds(1)))
        }
    }
}

extension FakeService.State {
    mutating func takeFault(for request: FakeDialect.Request) -> FakeFault? {
        let isRead = [.get, .head].contains(request.http.method)
        let index = faults.firstIndex { injected in
            !injected.fault.isAddition && !(isRead && injected.fault.isOfChanges)
                && request.begins(with: injected.path)
        }
        return index.map { take(at: $0) }
    }

    /// Returns whether the credentials of a request have expired, as they do with a fault.
    fileprivate mutating func hasExpired(
        _ request: FakeDialect.Request,
        with fault: FakeFault?
    ) -> Bool {
        let credentials = request.field("Authorization") ?? ""
        if fault == .expiredCredentials { expiredCredentials.insert(credentials) }
        return expiredCredentials.contains(credentials)
    }

    mutating func takeAdditions(for request: FakeDialect.Request) -> [FakeFault] {
        faults.indices.reversed()
            .filter { faults[$0].fault.isAddition && request.begins(with: faults[$0].path) }
            .map { take(at: $0) }
            .reversed()
    }

    private mutating func take(at index: Int) -> FakeFault {
        let fault = faults[index].fault
        guard let times = faults[index].times else { return fault }
        faults[index].times = times - 1
        if times <= 1 { faults.remove(at: index) }
        return fault
    }

    /// Applies the changes that were scheduled for after this request.
    fileprivate mutating func applyScheduledChanges(for request: FakeDialect.Request) {
        for index in changes.indices where request.begins(with: changes[index].path) {
            changes[index].requests -= 1
        }
        let due = changes.filter { $0.requests <= 0 }
        changes.removeAll { $0.requests <= 0 }
        for scheduled in due { contents.change(scheduled.change) }
    }
}

extension FakeDialect.Request {
    /// Returns the request with the first members of its batch; nil if it contains none.
    fileprivate func withBatch(of members: Int) -> FakeDialect.Request? {
        guard var json = body.flatMap({ FakeJSON(ifValid: $0) }),
            let requests = json["requests"]?.elements
        else { return nil }
        json["requests"] = .array(Array(requests.prefix(members)))
        var part = self
        part.body = json.bytes
        return part
    }

    /// Returns whether the path and query of the request start with a prefix.
    fileprivate func begins(with beginning: String?) -> Bool {
        guard let beginning else { return true }
        let query = (http.path ?? "").drop { $0 != "?" }
        return "\(path)\(query)".hasPrefix(beginning)
    }
}
