import Synchronization
import TidemarkSync

/// A line on the terminal that tells how far a pull is.
final class ProgressBar: Sendable {
    private let isShown: Bool
    private let state = Mutex<[String: (done: Int, expected: Int?)]>([:])

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows what has just happened.
    @Sendable func show(_ event: SyncEvent) {
        switch event {
        case .page(let resource, let done, let expected):
            write(
                state.withLock { state in
                    state[resource] = (done, expected)
                    return Self.line(state)
                }
            )
        case .retrying(let after, let why):
            clear()
            if isShown { Console.note("\(why) Trying again in \(after).") }
        case .finished:
            break
        }
    }

    /// Takes the line away.
    func clear() {
        if isShown { Console.write("\r\u{1B}[K") }
    }

    private func write(_ line: String) {
        if isShown { Console.write("\r\u{1B}[K\(line)") }
    }

    private static let width = 24

    private static func line(_ state: [String: (done: Int, expected: Int?)]) -> String {
        let done = state.values.map(\.done).reduce(0, +)
        let expected = state.values.map { max($0.expected ?? $0.done, $0.done) }.reduce(0, +)
        let filled = expected > 0 ? width * done / expected : 0
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(bar) \(done) of \(expected) objects from \(state.count) resources"
    }
}
