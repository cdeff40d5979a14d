public import Foundation
import TidemarkModel
import TidemarkRemote

extension FakeService {
    /// A URL of the service for use without a socket.
    public var url: URL {
        URL(string: "https://fake.example\(path)") ?? URL(filePath: path)
    }

    /// The object at a path such as `films/1`; nil if it does not exist.
    ///
    /// Setting an object replaces or adds it; setting nil removes it and every link to it. A change
    /// takes effect between two requests, never during one.
    public subscript(path: String) -> FakeJSON? {
        get { state.withLock { $0.contents.data[path] } }
        set { change { $0[path] = newValue } }
    }

    /// The current data of the service.
    public var data: FakeData { contents.data }

    /// The current contents of the service: its data with the timestamps of each object, and
    /// tombstones.
    package var contents: FakeContents { state.withLock { $0.contents } }

    /// The difference between the clock of the service and that of its environment.
    ///
    /// A negative value sets the clock of the service back. Defaults to zero.
    public var clockSkew: Duration {
        get { state.withLock { $0.clockSkew } }
        set { state.withLock { $0.clockSkew = newValue } }
    }

    /// Changes the data of the service atomically.
    ///
    /// Objects that differ afterwards are timestamped with the service's clock. Objects that were
    /// removed leave a tombstone.
    public func change(_ body: (inout FakeData) throws -> Void) rethrows {
        try withContents { try $0.change(body) }
    }

    /// Schedules a change of the data after a number of requests, before the next request is
    /// processed.
    ///
    /// Use this to insert and delete objects while a list is paged:
    ///
    /// ```swift
    /// fake.scheduleChange(after: 2, at: "films/") { data in data["films/1"] = nil }
    /// ```
    ///
    /// - Parameters:
    ///   - requests: The number of requests after which the change is made, counted from now.
    ///   - path: Counts only requests whose path and query, relative to ``path``, start with this
    ///     text; nil counts all requests.
    ///   - change: The change. It must not call the service itself.
    public func scheduleChange(
        after requests: Int = 1,
        at path: String? = nil,
        _ change: @escaping @Sendable (inout FakeData) -> Void
    ) {
        state.withLock {
            $0.changes.append(
                ScheduledChange(requests: max(1, requests), path: path, change: change)
            )
        }
    }

    /// Deletes all objects and tombstones.
    ///
    /// Only the timestamps of the collections show that something has changed.
    public func reset() {
        withContents { $0.reset() }
    }

    /// Deletes all tombstones, so that lists of changes no longer contain earlier deletions.
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

    /// The requests received so far.
    public var requests: RecordedRequests { state.withLock { $0.requests } }

    /// Clears the record of requests.
    public func clearRequests() {
        state.withLock { $0.requests = RecordedRequests() }
    }

    /// Injects a fault.
    ///
    /// If several faults apply to a request, the one injected first takes effect. Latency and
    /// header fields are combined with other faults.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - times: The number of requests to which the fault applies; nil for no limit.
    ///   - path: Applies the fault only to requests whose path and query, relative to ``path``,
    ///     start with this text; nil applies it to all requests.
    public func inject(_ fault: FakeFault, times: Int? = nil, at path: String? = nil) {
        state.withLock { $0.faults.append(InjectedFault(fault: fault, times: times, path: path)) }
    }

    /// Removes all faults.
    public func removeFaults() {
        state.withLock { $0.faults = [] }
    }
}

extension FakeService.State {
    /// Sets the service's clock from the time of the environment.
    mutating func setTime(_ now: Date) {
        contents.now = now.addingTimeInterval(clockSkew / .seconds(1)).microseconds
    }
}

extension Date {
    /// The time in microseconds since 1970.
    var microseconds: Int64 {
        DateFormat.microseconds(fromSeconds: timeIntervalSince1970) ?? 0
    }
}
