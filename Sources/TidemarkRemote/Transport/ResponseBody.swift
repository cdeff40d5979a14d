import TidemarkModel

/// The bytes of an answer, in chunks as they come.
///
/// A body that streams can be read once; one that stands in memory can be read again.
public struct ResponseBody: AsyncSequence, Sendable {
    private enum Source: Sendable {
        case bytes([UInt8])
        case stream(@Sendable () async throws -> [UInt8]?)
        /// The first bytes are there, the others come.
        case begun([UInt8], @Sendable () async throws -> [UInt8]?)
    }

    private let source: Source

    private init(_ source: Source) {
        self.source = source
    }

    /// Creates a body of bytes that are there already.
    public init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
    }

    /// Creates a body that asks for each chunk when it is wanted; nil ends it.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        source = .stream(next)
    }

    /// Creates a body of a sequence of chunks, which is read once.
    public init<Chunks: AsyncSequence & Sendable>(chunks: Chunks) where Chunks.Element == [UInt8] {
        let reader = ChunkReader(chunks)
        source = .stream { try await reader.next() }
    }

    /// Creates the iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .bytes(let bytes): AsyncIterator(bytes: bytes, next: nil)
        case .stream(let next): AsyncIterator(bytes: [], next: next)
        case .begun(let bytes, let next): AsyncIterator(bytes: bytes, next: next)
        }
    }

    /// Reads the chunks of a body one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: [UInt8]
        fileprivate let next: (@Sendable () async throws -> [UInt8]?)?

        /// The next chunk, or nil at the end.
        ///
        /// - Throws: `CancellationError` when the task was cancelled: a cancelled stream ends
        ///   early, and must not pass for a complete one.
        public mutating func next() async throws -> [UInt8]? {
            guard bytes.isEmpty, let next else {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            }
            if let chunk = try await next() { return chunk }
            try Task.checkCancellation()
            return nil
        }
    }

    /// The same body, to be read once, whose chunks somebody looks at as they pass; nil is its
    /// end.
    package func observed(
        by look: @escaping @Sendable (_ chunk: [UInt8]?) async throws -> Void
    ) -> ResponseBody {
        let next = nextChunk
        return ResponseBody {
            let chunk = try await next()
            try await look(chunk)
            return chunk
        }
    }

    /// What gives the chunks one after the other, without a detour by another actor.
    private var nextChunk: @Sendable () async throws -> [UInt8]? {
        switch source {
        case .stream(let next):
            return next
        case .bytes(let bytes):
            let left = Locked([bytes])
            return { left.withLock { $0.popLast() } }
        case .begun(let bytes, let next):
            let left = Locked([bytes])
            return {
                guard let beginning = left.withLock({ $0.popLast() }) else {
                    return try await next()
                }
                return beginning
            }
        }
    }

    /// The same body with its first bytes read: all of them where there are no more than the limit.
    ///
    /// - Parameters:
    ///   - limit: how many bytes are read, and some more where a chunk goes beyond it.
    ///   - length: how many are expected.
    /// - Returns: the body, which can be read from its beginning.
    /// - Throws: what reading the body throws.
    func buffered(upTo limit: Int, expecting length: Int) async throws -> ResponseBody {
        guard case .stream(let next) = source else { return self }
        var beginning: [UInt8] = []
        // A service may announce any length.
        beginning.reserveCapacity(Swift.max(0, Swift.min(length, limit, 64 << 20)))
        for try await chunk in self {
            beginning.append(contentsOf: chunk)
            guard beginning.count <= limit else { return ResponseBody(.begun(beginning, next)) }
        }
        return ResponseBody(beginning)
    }

    /// The bytes that are there already.
    var beginning: [UInt8] {
        switch source {
        case .bytes(let bytes), .begun(let bytes, _): bytes
        case .stream: []
        }
    }

    /// How many bytes there are, where all of them are there already.
    package var wholeLength: Int? {
        switch source {
        case .bytes(let bytes): bytes.count
        case .stream, .begun: nil
        }
    }

    /// Whether more bytes are to come than are there already.
    var isBegun: Bool {
        switch source {
        case .bytes: false
        case .stream, .begun: true
        }
    }
}

private actor ChunkReader<Chunks: AsyncSequence & Sendable> where Chunks.Element == [UInt8] {
    private var iterator: Chunks.AsyncIterator?

    init(_ chunks: Chunks) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> [UInt8]? {
        guard var current = iterator else { return nil }
        iterator = nil
        let chunk = try await current.next(isolation: self)
        if chunk != nil { iterator = current }
        return chunk
    }
}
