import Synchronization

/// The lines that the code of a guide prints.
///
/// A test struct declares a function `print` that writes to it, which hides the one of Swift.
final class GuideConsole: Sendable {
    private let text = Mutex<[String]>([])
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: String.self)
    }

    /// All lines so far.
    var lines: [String] { text.withLock { $0 } }

    /// Writes a line: the items with spaces between them.
    func write(_ items: [Any]) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        text.withLock { $0.append(line) }
        continuation.yield(line)
    }

    /// Waits for the next lines, and returns them.
    ///
    /// - Parameter count: The number of lines.
    /// - Returns: The lines that follow those that earlier calls have returned.
    func next(_ count: Int) async -> [String] {
        var lines: [String] = []
        for await line in stream.prefix(count) { lines.append(line) }
        return lines
    }
}
