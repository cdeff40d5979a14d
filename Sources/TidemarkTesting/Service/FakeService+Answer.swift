package import HTTPTypes
import TidemarkModel
package import TidemarkRemote

extension FakeService {
    /// What becomes of a request.
    package enum Answer: Sendable {
        case response(TransportResponse)
        case hangUp
        case silence
    }

    package func answer(_ request: HTTPRequest, body: [UInt8]?) async throws -> Answer {
        let asked = taken(apart: request, body)
        let (number, fault, delay) = state.withLock { state in
            let number = state.requests.append(request, body: body)
            return (number, state.takeFault(for: asked), state.takeDelay(for: asked))
        }
        if delay > .zero { try await environment.sleep(delay) }
        if fault == .hangUp { return .hangUp }
        if fault == .silence { return .silence }
        let response = state.withLock { state in
            let response = faulty(fault, asked) ?? dialect.answer(asked, &state.data)
            state.requests.note(response.status.code, at: number)
            return response
        }
        return .response(served(response, to: asked, fault))
    }

    private func taken(apart request: HTTPRequest, _ body: [UInt8]?) -> FakeDialect.Request {
        let parts = (request.path ?? "/").split(separator: "?", maxSplits: 1)
        let whole = parts.first.map(String.init) ?? "/"
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { parameter in
            let pair = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            return (name: pair.first ?? "", value: pair.count > 1 ? pair[1] : "")
        }
        return FakeDialect.Request(
            http: request,
            body: body,
            base: "\(request.scheme ?? "http")://\(request.authority ?? "")\(path)",
            path: whole.hasPrefix(path) ? String(whole.dropFirst(path.count)) : whole,
            query: query
        )
    }

    /// The answer that a fault puts in the place of the true one.
    private func faulty(_ fault: FakeFault?, _ request: FakeDialect.Request) -> FakeResponse? {
        switch fault {
        case .status(let code, let retryAfter)?:
            var response = FakeResponse(
                ["detail": "This went wrong to order."],
                status: .init(code: code)
            )
            if code == 401 { response.fields[.wwwAuthenticate] = "Basic realm=\"api\"" }
            response.fields[.retryAfter] = retryAfter.map { "\($0.components.seconds)" }
            return response
        case .html?: return .html("<!doctype html><title>Sign in</title><h1>Sign in</h1>")
        case .body(let text, let type)?: return FakeResponse(.bytes(Array(text.utf8), type: type))
        case .redirect(let address)?:
            var response = FakeResponse.html("", status: .found)
            response.fields[.location] = address
            return response
        case .cut?, .latency?, .loopingNext?, .hangUp?, .silence?, nil: return nil
        }
    }

    private func served(
        _ response: FakeResponse,
        to request: FakeDialect.Request,
        _ fault: FakeFault?
    ) -> TransportResponse {
        var response = response
        if fault == .loopingNext { dialect.loop(&response, request) }
        if let linkBase, case .json(let json) = response.body {
            response.body = .json(json.mapStrings { $0.replacingBase(linkBase, by: request.base) })
        }
        let bytes = response.bytes
        let head = response.head(length: bytes.count)
        if request.http.method == .head { return TransportResponse(to: request.http, head: head) }
        guard case .cut(let length)? = fault else {
            return TransportResponse(to: request.http, head: head, body: ResponseBody(bytes))
        }
        let cut = CutBody(bytes: Array(bytes.prefix(length)), request: request.http)
        return TransportResponse(to: request.http, head: head, body: ResponseBody(chunks: cut))
    }
}

extension FakeService.State {
    mutating func takeFault(for request: FakeDialect.Request) -> FakeFault? {
        let place = faults.firstIndex { order in
            if case .latency = order.fault { return false }
            return order.applies(to: request)
        }
        return place.map { take(at: $0) }
    }

    mutating func takeDelay(for request: FakeDialect.Request) -> Duration {
        var delay = Duration.zero
        for place in faults.indices.reversed() where faults[place].applies(to: request) {
            guard case .latency(let duration) = faults[place].fault else { continue }
            delay += duration
            _ = take(at: place)
        }
        return delay
    }

    private mutating func take(at place: Int) -> FakeFault {
        let fault = faults[place].fault
        guard let times = faults[place].times else { return fault }
        faults[place].times = times - 1
        if times <= 1 { faults.remove(at: place) }
        return fault
    }
}

extension FakeService.Order {
    fileprivate func applies(to request: FakeDialect.Request) -> Bool {
        guard let path else { return true }
        let query = (request.http.path ?? "").drop { $0 != "?" }
        return "\(request.path)\(query)".hasPrefix(path)
    }
}

extension String {
    fileprivate func replacingBase(_ old: String, by new: String) -> String {
        hasPrefix(old) ? new + dropFirst(old.count) : self
    }
}

/// Some bytes, and then a broken connection.
private struct CutBody: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let request: HTTPRequest

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: [UInt8]
        let request: HTTPRequest

        mutating func next() async throws -> [UInt8]? {
            guard !bytes.isEmpty else { throw RemoteError.truncated(request) }
            defer { bytes = [] }
            return bytes
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes, request: request)
    }
}
