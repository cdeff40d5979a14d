import TidemarkModel

/// The body of a response, as an asynchronous sequence of chunks.
///
/// A streamed body can be read once, one in memory repeatedly. Chunks have any length; a character
/// or a JSON value may be divided between two.
///
/// <!-- example: let request = HTTPRequest(method: .get, url: url) -->
/// ```swift
/// let response = try await transport.send(request, body: nil)
/// var length = 0
/// for try await chunk in response.body { length += chunk.count }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    private enum Source: Sendable {
        case bytes([UInt8])
        case stream(@Sendable () async throws -> [UInt8]?)
        /// The first bytes are in memory, the others are still to be received.
        case begun([UInt8], @Sendable () async throws -> [UInt8]?)
    }

    private let source: Source

    private init(_ source: Source) {
        self.source = source
    }

    /// Creates a body that is in memory.
    ///
    /// - Parameter bytes: The bytes, decoded.
    public init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
    }

    /// Creates a body from a closure that returns the next chunk, or nil at the end.
    ///
    /// The closure is called again when the chunk before was consumed, so that a slow reader slows
    /// down the connection (back-pressure). Throw ``RemoteError`` with the code
    /// ``RemoteError/Code/truncated`` if the connection is closed before the end.
    ///
    /// <!-- example: actor FileReader { func read() throws -> [UInt8]? { nil } } -->
    /// <!-- example: let file = FileReader() -->
    /// ```swift
    /// let body = ResponseBody { try await file.read() }
    /// ```
    ///
    /// - Parameter next: Returns the next chunk; nil at the end.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        source = .stream(next)
    }

    /// Creates a body from a sequence of chunks, which is read once.
    ///
    /// <!-- example: let (chunks, _) = AsyncStream<[UInt8]>.makeStream() -->
    /// ```swift
    /// let body = ResponseBody(chunks: chunks)    // an AsyncStream<[UInt8]>
    /// ```
    ///
    /// - Parameter chunks: The chunks, in the order of the body.
    public init<Chunks: AsyncSequence & Sendable>(chunks: Chunks) where Chunks.Element == [UInt8] {
        let reader = ChunkReader(chunks)
        source = .stream { try await reader.next() }
    }

    /// Creates an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .bytes(let bytes): AsyncIterator(bytes: bytes, next: nil)
        case .stream(let next): AsyncIterator(bytes: [], next: next)
        case .begun(let bytes, let next): AsyncIterator(bytes: bytes, next: next)
        }
    }

    /// An iterator over the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: [UInt8]
        fileprivate let next: (@Sendable () async throws -> [UInt8]?)?

        /// Returns the next chunk, or nil at the end.
        ///
        /// - Throws: Errors of the transport, and `CancellationError` if the task was cancelled: a
        ///   stream ends early then, and must not be taken for complete.
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

    /// Returns a body that can be read once and passes each chunk to a closure as it is read, and
    /// nil at the end.
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

    /// A closure that returns the chunks one after the other, without the actor hop of a
    /// `ChunkReader`.
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

    /// Returns the body with its first bytes in memory, or all of them if they do not exceed the
    /// limit.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes to read. The last chunk may exceed it.
    ///   - length: The expected number of bytes, for which memory is reserved.
    /// - Returns: The body, which can be read from its start.
    /// - Throws: Errors of reading the body.
    func buffered(upTo limit: Int, expecting length: Int) async throws -> ResponseBody {
        guard case .stream(let next) = source else { return self }
        var beginning: [UInt8] = []
        // A service may announce any length, so the reserved memory is bounded.
        beginning.reserveCapacity(Swift.max(0, Swift.min(length, limit, 64 << 20)))
        for try await chunk in self {
            beginning.append(contentsOf: chunk)
            guard beginning.count <= limit else { return ResponseBody(.begun(beginning, next)) }
        }
        return ResponseBody(beginning)
    }

    /// The bytes that are in memory.
    var beginning: [UInt8] {
        switch source {
        case .bytes(let bytes), .begun(let bytes, _): bytes
        case .stream: []
        }
    }

    /// The number of bytes if the whole body is in memory; nil otherwise.
    package var wholeLength: Int? {
        switch source {
        case .bytes(let bytes): bytes.count
        case .stream, .begun: nil
        }
    }

    /// Whether further bytes may follow those in memory.
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
        // The iterator is removed while it is used: an actor is reentrant at `await`, and an
        // iterator that has thrown must not be used again.
        guard var current = iterator else { return nil }
        iterator = nil
        let chunk = try await current.next(isolation: self)
        if chunk != nil { iterator = current }
        return chunk
    }
}
