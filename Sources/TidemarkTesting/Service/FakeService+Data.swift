public import Foundation
import TidemarkModel
import TidemarkRemote

extension FakeService {
    /// A URL of the service for use without a socket: `https://fake.example/api/`, with its path.
    ///
    /// The host is not looked up, as the service is itself the transport.
    ///
    /// ```swift
    /// let service = Service.rest(url: fake.url)
    /// let films = service.resource("Film", path: "films/")
    /// ```
    public var url: URL {
        URL(string: "https://fake.example\(path)") ?? URL(filePath: path)
    }

    /// The object at a path such as `films/1`; nil if it does not exist.
    ///
    /// Setting an object replaces or adds it; setting nil removes it and every link to its `url`,
    /// and leaves a tombstone. A change takes effect between two requests, never during one. Only
    /// objects that differ get a new timestamp.
    ///
    /// ```swift
    /// fake["films/1"]?["title"] = "Star Wars"          // an update
    /// fake["films/2"] = ["title": "The Empire Strikes Back"]  // an insertion, with the id 2
    /// fake["films/3"] = nil                            // a deletion
    /// ```
    public subscript(path: String) -> FakeJSON? {
        get { state.withLock { $0.contents.data[path] } }
        set { change { $0[path] = newValue } }
    }

    /// The current data of the service, as a copy.
    ///
    /// ```swift
    /// print(fake.data[objects: "films"]?.count ?? 0)
    /// ```
    ///
    /// Use ``change(_:)`` to modify it.
    public var data: FakeData { contents.data }

    /// The current contents of the service: its data with the timestamps of each object, and
    /// tombstones.
    package var contents: FakeContents { state.withLock { $0.contents } }

    /// The difference between the clock of the service and that of its environment.
    ///
    /// It shifts the timestamps of later changes and the `Date` header field. A negative value sets
    /// the clock of the service back. Defaults to zero. Use it to test that code does not compare
    /// the times of a service with those of the device.
    ///
    /// ```swift
    /// fake.clockSkew = .seconds(-300)  // five minutes slow
    /// ```
    public var clockSkew: Duration {
        get { state.withLock { $0.clockSkew } }
        set { state.withLock { $0.clockSkew = newValue } }
    }

    /// Changes the data of the service atomically.
    ///
    /// Use it for several edits that one request must see together. Objects that differ afterwards
    /// are timestamped with the service's clock, all with the same time. Objects that were removed
    /// leave a tombstone. Reordering is not a change.
    ///
    /// ```swift
    /// fake.change { data in
    ///     data["films/1"] = nil
    ///     data["films/2"]?["title"] = "Episode V"
    /// }
    /// ```
    ///
    /// - Parameter body: Modifies the data. It must not call the service itself.
    /// - Throws: Only the error of `body`. Modifications up to the error are kept.
    public func change(_ body: (inout FakeData) throws -> Void) rethrows {
        try withContents { try $0.change(body) }
    }

    /// Schedules a change of the data after a number of requests, before the next request is
    /// processed.
    ///
    /// Use this to insert and delete objects while a list is paged: with page numbers or offsets,
    /// the objects of later pages move, and a client that does not notice misses one.
    ///
    /// ```swift
    /// // After page 2 was sent, the first object of page 1 is deleted.
    /// fake.scheduleChange(after: 2, at: "films/") { data in data["films/1"] = nil }
    /// ```
    ///
    /// Requests without a response, as by ``FakeFault/connectionClosed``, count, too.
    ///
    /// - Parameters:
    ///   - requests: The number of requests after which the change is made, counted from now; 1 by
    ///     default, and at least 1.
    ///   - path: Counts only requests whose path and query, relative to the path of the service,
    ///     start with this text; nil counts all requests.
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
    /// Only the timestamps of the collections show that something has changed: a client that
    /// requests changes since a cursor gets no deletions, as after a restored backup.
    ///
    /// ```swift
    /// fake.reset()
    /// print(fake.data[objects: "films"]?.isEmpty ?? false)  // true
    /// ```
    public func reset() {
        withContents { $0.reset() }
    }

    /// Deletes all tombstones, so that lists of changes no longer contain earlier deletions.
    ///
    /// Services keep tombstones for a limited time. A client that was offline longer has to notice
    /// the deletions otherwise, for example by the number of objects.
    ///
    /// ```swift
    /// fake["films/1"] = nil
    /// fake.purgeTombstones()  // the next request for changes does not contain films/1
    /// ```
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

    /// The requests received so far, with the status of each response.
    ///
    /// Compare its description to test exactly what code under test has requested.
    ///
    /// ```swift
    /// _ = try await engine.pull()
    /// print(fake.requests)
    /// // GET /api/films/ 200
    /// // GET /api/films/?page=2 304
    /// ```
    public var requests: RecordedRequests { state.withLock { $0.requests } }

    /// The changes that clients have made, in order, also those whose response was lost.
    ///
    /// It is what the service has done, whatever a client believes.
    public var audit: [FakeEffect] { contents.audit }

    /// Clears the record of requests, for example between two pulls of one test.
    ///
    /// ```swift
    /// _ = try await engine.pull()
    /// fake.clearRequests()
    /// _ = try await engine.pull()
    /// print(fake.requests.count)  // the requests of the second pull
    /// ```
    ///
    /// Counts of injected faults and scheduled changes are not affected.
    public func clearRequests() {
        state.withLock { $0.requests = RecordedRequests() }
    }

    /// Injects a fault.
    ///
    /// If several faults apply to a request, the one injected first takes effect. Latency and
    /// header fields are combined with other faults.
    ///
    /// ```swift
    /// fake.inject(.status(503), times: 2)  // two failures, then success
    /// fake.inject(.truncatedBody(after: 100), at: "films/?page=2")  // always, on this page
    /// ```
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - times: The number of requests to which the fault applies; nil for no limit.
    ///   - path: Applies the fault only to requests whose path and query, relative to the path of
    ///     the service, start with this text; nil applies it to all requests.
    public func inject(_ fault: FakeFault, times: Int? = nil, at path: String? = nil) {
        state.withLock { $0.faults.append(InjectedFault(fault: fault, times: times, path: path)) }
    }

    /// Removes all faults, so that the service responds normally again.
    ///
    /// ```swift
    /// fake.inject(.connectionClosed)  // the service is down
    /// fake.removeFaults()            // it is back
    /// ```
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
