import TidemarkModel
import TidemarkRemote

/// What a result means for the requests after it.
enum RequestVerdict {
    /// At most so many requests may be sent until the next verdict.
    case next(atMost: Int)
    /// The service has not responded, or has failed: so it may with other requests.
    case failed(RemoteError)
    /// No more requests of the same list are sent.
    case stop
    /// No more requests are sent in this run: the service cannot be reached.
    case end(RemoteError?)
}

/// A request that can be sent now, or the reason why not.
enum NextRequest<Element> {
    case ready(Element)
    /// What may be sent depends on requests in flight.
    case waiting
    /// Nothing is left to send.
    case none
}

/// Requests are sent several at a time.
extension OutboxPush {
    /// Sends requests.
    ///
    /// - Parameters:
    ///   - elements: What the requests are about.
    ///   - send: Sends the request for an element, as often as the second argument says.
    ///   - judge: Called with each result, one after the other.
    /// - Returns: The results, without those of requests that were not sent.
    func perform<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        send: @escaping @Sendable (Element, Remote.Attempts) async -> Value,
        judge: (Value) -> RequestVerdict
    ) async -> [Value] {
        var left = elements[...]
        return await perform {
            left.popFirst().map { .ready($0) } ?? .none
        } send: { element, attempts in
            await send(element, attempts)
        } judge: { value in
            judge(value)
        }
    }

    /// Sends requests.
    ///
    /// - Parameters:
    ///   - next: Returns what the next request is about.
    ///   - send: Sends the request for an element, as often as the second argument says if it only
    ///     reads.
    ///   - judge: Called with each result, one after the other.
    /// - Returns: The results, without those of requests that were not sent.
    func perform<Element: Sendable, Value: Sendable>(
        next: () -> NextRequest<Element>,
        send: @escaping @Sendable (Element, Remote.Attempts) async -> Value,
        judge: (Value) -> RequestVerdict
    ) async -> [Value] {
        let limit = max(1, run.limits.concurrency)
        var allowed = availability.hasResponded ? limit : 1
        var values: [Value] = []
        var isStopped = false
        // What is sent now is the last attempt to find that the service still works.
        var isLast = availability.isDoubtful
        await withTaskGroup(of: Value.self) { group in
            var own = 0
            while true {
                var isFinished = isStopped || availability.isEnded
                sending: while !isFinished, own < allowed, inFlight < limit {
                    switch next() {
                    case .ready(let element):
                        own += 1
                        inFlight += 1
                        let attempts = availability.hasResponded ? Remote.Attempts.several : .one
                        group.addTask { await send(element, attempts) }
                    case .waiting: break sending
                    case .none: isFinished = true
                    }
                }
                guard own > 0 else {
                    if isFinished { break }
                    // Another group uses all that may be in flight.
                    await withCheckedContinuation { suspended.append($0) }
                    continue
                }
                guard let value = await group.next() else { break }
                own -= 1
                inFlight -= 1
                for group in suspended { group.resume() }
                suspended = []
                values.append(value)
                switch judge(value) {
                case .next(let most):
                    availability.countSuccess()
                    isLast = false
                    allowed = max(1, min(limit, most))
                case .failed(let error):
                    availability.countFailure(error)
                    if isLast { availability.end(because: error) }
                    isStopped = isStopped || availability.isDoubtful
                    allowed = 1
                case .stop: isStopped = true
                case .end(let error): availability.end(because: error)
                }
            }
        }
        return values
    }
}
