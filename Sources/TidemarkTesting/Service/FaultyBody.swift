import TidemarkRemote

/// A body that is delivered as a fault specifies: truncated, or in delayed chunks.
struct FaultyBody: AsyncSequence, Sendable {
    private let bytes: ArraySlice<UInt8>
    private let count: Int
    private let wait: @Sendable () async throws -> Void
    private let end: RemoteError?

    /// Creates a body that delivers its bytes at once and then fails.
    init(_ bytes: ArraySlice<UInt8>, then end: RemoteError) {
        self.bytes = bytes
        self.end = end
        count = Int.max
        wait = {}
    }

    /// Creates a body that is delivered in chunks of `count` bytes, and waits before each.
    init(
        _ bytes: ArraySlice<UInt8>,
        by count: Int,
        after wait: @escaping @Sendable () async throws -> Void
    ) {
        self.bytes = bytes
        self.count = Swift.max(1, count)
        self.wait = wait
        end = nil
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: ArraySlice<UInt8>
        fileprivate let body: FaultyBody

        mutating func next() async throws -> [UInt8]? {
            guard !bytes.isEmpty else {
                if let end = body.end { throw end }
                return nil
            }
            try await body.wait()
            defer { bytes = bytes.dropFirst(body.count) }
            return Array(bytes.prefix(body.count))
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes, body: self)
    }
}
