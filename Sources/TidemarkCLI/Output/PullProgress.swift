import TidemarkModel
import TidemarkSync

/// Shows how far a pull is.
final class PullProgress: Sendable {
    private let bar: ProgressBar
    private let resources = Locked<[String: (done: Int, expected: Int?)]>([:])

    init(_ bar: ProgressBar) {
        self.bar = bar
    }

    /// Shows what has just happened.
    @Sendable func show(_ event: SyncEvent) {
        switch event {
        case .page(let resource, let done, let expected):
            resources.withLock { resources in
                resources[resource] = (done, expected)
                draw(resources)
            }
        case .retrying(let after, let why):
            bar.note("\(why) Trying again in \(after).")
        case .started, .applied, .failed, .finished, .parked, .stopped:
            break
        }
    }

    /// Takes the bar away.
    func clear() {
        bar.clear()
    }

    private func draw(_ resources: [String: (done: Int, expected: Int?)]) {
        let done = resources.values.map(\.done).reduce(0, +)
        let expected = resources.values.map { max($0.expected ?? $0.done, $0.done) }.reduce(0, +)
        bar.show(
            done,
            of: expected,
            "\(done) of \(expected) objects from \(resources.count) resources"
        )
    }
}
