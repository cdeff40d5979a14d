import TidemarkModel
import TidemarkRemote

public import struct Foundation.URL

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
        get { state.withLock { $0.data[path] } }
        set { state.withLock { $0.data[path] = newValue } }
    }

    /// What the service holds now.
    public var data: FakeData { state.withLock { $0.data } }

    /// Changes what the service holds, all at once.
    public func change(_ body: (inout FakeData) throws -> Void) rethrows {
        try state.withLock { try body(&$0.data) }
    }

    /// The requests that came so far.
    public var requests: RecordedRequests { state.withLock { $0.requests } }

    /// Forgets the requests that came so far.
    public func forgetRequests() {
        state.withLock { $0.requests = RecordedRequests() }
    }

    /// Orders a fault.
    ///
    /// Of several that apply to a request the one ordered first takes effect; latency adds to the
    /// others.
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
