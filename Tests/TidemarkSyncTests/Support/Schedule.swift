import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// What happens to a service and to a store that mirrors it, step by step, by chance.
struct Schedule: Sample, Sendable {
    /// One thing that happens.
    enum Step: CustomStringConvertible, Sendable {
        case write(String, String)
        case remove(String)
        case wait(milliseconds: Int)
        case misbehave(FakeFault, times: Int)
        /// A note is written, or removed, once so many requests were answered.
        case meanwhile(Int, String, String?)
        case pull(isFull: Bool)

        var description: String {
            switch self {
            case .write(let key, let text): "write \(key) \(text)"
            case .remove(let key): "remove \(key)"
            case .wait(let milliseconds): "wait \(milliseconds) ms"
            case .misbehave(let fault, let times): "misbehave \(fault), \(times) times"
            case .meanwhile(let requests, let key, let text):
                "after \(requests) requests \(text.map { "write \(key) \($0)" } ?? "remove \(key)")"
            case .pull(let isFull): isFull ? "pull all" : "pull"
            }
        }
    }

    let dialect: Mirror.Dialect
    let seed: UInt64
    var steps: [Step]

    init(_ dialect: Mirror.Dialect, seed: UInt64) {
        self.dialect = dialect
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        steps = (0..<Int.random(in: 4...24, using: &random)).map { _ in Self.step(&random) }
    }

    private static func step(_ random: inout SeededGenerator) -> Step {
        let key = "n\(Int.random(in: 0..<12, using: &random))"
        let text = "t\(Int.random(in: 0..<1_000, using: &random))"
        switch Int.random(in: 0..<16, using: &random) {
        case 0...3: return .write(key, text)
        case 4...5: return .remove(key)
        case 6...7:
            return .wait(
                milliseconds: [0, 1, 400, 1_000, 5_000].randomElement(using: &random) ?? 0
            )
        case 8...9:
            let fault = faults.randomElement(using: &random) ?? .hangUp
            return .misbehave(fault, times: Int.random(in: 1...7, using: &random))
        case 10...11:
            let isWritten = Bool.random(using: &random)
            let requests = Int.random(in: 1...4, using: &random)
            return .meanwhile(requests, key, isWritten ? text : nil)
        case 12: return .pull(isFull: true)
        default: return .pull(isFull: false)
        }
    }

    private static let faults: [FakeFault] = [
        .status(500), .status(503, retryAfter: .seconds(3)), .status(429), .status(404),
        .status(400), .status(410), .status(412), .hangUp, .silence, .cut(after: 30), .html, .twice,
        .backoff(seconds: 4), .latency(.seconds(2)), .loopingNext,
    ]

    var smaller: [Schedule] {
        steps.indices.map { index in
            var schedule = self
            schedule.steps.remove(at: index)
            return schedule
        }
    }

    var description: String {
        "\(dialect), seed \(seed)\n" + steps.map(\.description).joined(separator: "\n")
    }
}
