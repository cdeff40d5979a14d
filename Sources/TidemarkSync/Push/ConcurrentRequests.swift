import TidemarkModel

/// The requests of one run, several at a time.
///
/// The first one is sent alone: while the service is down, a run costs one request, however many
/// changes there are.
struct ConcurrentRequests: Sendable {
    /// The most requests at a time.
    let limit: Int

    /// Whether the service has responded in this run.
    private var hasResponded = false

    /// Whether no more requests are sent in this run.
    private(set) var isEnded = false

    init(limit: Int) { self.limit = max(1, limit) }

    /// What a result means for the requests after it.
    enum Verdict {
        /// At most so many requests may be sent until the next verdict.
        case next(atMost: Int)
        /// No more requests of the same list are sent.
        case stop
        /// No more requests are sent in this run: the service cannot be reached.
        case end
    }

    /// Sends requests.
    ///
    /// - Parameters:
    ///   - elements: What the requests are about.
    ///   - send: Sends the request for an element.
    ///   - judge: Called with each result, one after the other.
    /// - Returns: The results, without those of requests that were not sent.
    mutating func perform<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        _ send: @escaping @Sendable (Element) async -> Value,
        judge: (Value) -> Verdict
    ) async -> [Value] {
        guard !isEnded else { return [] }
        var allowed = hasResponded ? limit : 1
        var values: [Value] = []
        var (isStopped, isEnded) = (false, false)
        await withTaskGroup(of: Value.self) { [limit] group in
            var waiting = elements[...]
            var running = 0
            func sendNext() {
                while !isStopped, running < allowed, let element = waiting.popFirst() {
                    running += 1
                    group.addTask { await send(element) }
                }
            }
            sendNext()
            while let value = await group.next() {
                running -= 1
                values.append(value)
                switch judge(value) {
                case .next(let most): allowed = min(limit, most)
                case .stop: isStopped = true
                case .end: (isStopped, isEnded) = (true, true)
                }
                sendNext()
            }
        }
        self.isEnded = isEnded
        hasResponded = hasResponded || !values.isEmpty && !isEnded
        return values
    }

    /// Sends no more requests in this run.
    mutating func end() { isEnded = true }
}
