public import Foundation
import TidemarkModel
import TidemarkRemote

extension FakeService {
    /// An address for the service where it is used without a socket.
    public var url: URL {
        URL(string: "https://fake.example\(path)") ?? URL(filePath: path)
    }

    /// The object at a path such as `films/1`; nil where there is none.
    ///
    /// Setting replaces or adds an object; nil removes it and every link to it. A change takes
    /// effect between two requests, never within one.
    public subscript(path: String) -> FakeJSON? {
        get { state.withLock { $0.contents.data[path] } }
        set { change { $0[path] = newValue } }
    }

    /// What the service holds now.
    public var data: FakeData { contents.data }

    /// What the service knows now: its data, with the times of each object, and tombstones.
    public var contents: FakeContents { state.withLock { $0.contents } }

    /// How much the service's clock is ahead of its environment's; less than zero where it is
    /// behind.
    public var clockSkew: Duration {
        get { state.withLock { $0.clockSkew } }
        set { state.withLock { $0.clockSkew = newValue } }
    }

    /// Changes what the service holds, all at once.
    ///
    /// What differs afterwards has the time of the service's clock; what went leaves a tombstone.
    public func change(_ body: (inout FakeData) throws -> Void) rethrows {
        try withContents { try $0.change(body) }
    }

    /// Changes what the service holds once so many requests were answered, before the next one is.
    ///
    /// This is how rows come and go while a list is being paged:
    ///
    /// ```swift
    /// fake.meanwhile(after: 2, at: "films/") { data in data["films/1"] = nil }
    /// ```
    ///
    /// - Parameters:
    ///   - requests: How many requests, from now on, come first.
    ///   - path: Which requests count: those whose path and query, below ``path``, begin so; nil
    ///     for all.
    ///   - change: What to change. It must not ask the service itself.
    public func meanwhile(
        after requests: Int = 1,
        at path: String? = nil,
        _ change: @escaping @Sendable (inout FakeData) -> Void
    ) {
        state.withLock {
            $0.plans.append(Plan(requests: max(1, requests), path: path, change: change))
        }
    }

    /// Wipes everything, and keeps no tombstones: only the times of the collections tell.
    public func flush() {
        withContents { $0.flush() }
    }

    /// Forgets what is gone: changes since long ago do not tell of it any more.
    public func purgeTombstones() {
        withContents { $0.purgeTombstones() }
    }

    private func withContents<Result>(
        _ body: (inout FakeContents) throws -> Result
    ) rethrows -> Result {
        let now = environment.now()
        return try state.withLock { state in
            state.setTime(now)
            return try body(&state.contents)
        }
    }

    /// The requests that came so far.
    public var requests: RecordedRequests { state.withLock { $0.requests } }

    /// Forgets the requests that came so far.
    public func forgetRequests() {
        state.withLock { $0.requests = RecordedRequests() }
    }

    /// Orders a fault.
    ///
    /// Of several that apply to a request the one ordered first takes effect; latency and header
    /// fields add to the others.
    ///
    /// - Parameters:
    ///   - fault: What to do wrong.
    ///   - times: To how many requests; nil for ever.
    ///   - path: To which requests: those whose path and query, below ``path``, begin so; nil for
    ///     all.
    public func misbehave(_ fault: FakeFault, times: Int? = nil, at path: String? = nil) {
        state.withLock { $0.faults.append(Order(fault: fault, times: times, path: path)) }
    }

    /// Ends all faults.
    public func behave() {
        state.withLock { $0.faults = [] }
    }
}

extension FakeService.State {
    /// Sets the clock by the environment's.
    mutating func setTime(_ now: Date) {
        contents.now = now.addingTimeInterval(clockSkew / .seconds(1)).microseconds
    }
}

extension Date {
    /// The moment, in microseconds since 1970.
    var microseconds: Int64 {
        DateFormat.microseconds(fromSeconds: timeIntervalSince1970) ?? 0
    }
}
