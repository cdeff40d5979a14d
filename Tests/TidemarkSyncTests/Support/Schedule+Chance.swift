import TidemarkTestSupport
import TidemarkTesting

extension Schedule.Setting {
    init(_ random: inout SeededGenerator) {
        notes = Int.random(in: 0...14, using: &random)
        page = Int.random(in: 1...4, using: &random)
        bodyInMemory = [8 << 20, 8 << 20, 48, 160].randomElement(using: &random) ?? 48
        rows = [10_000, 10_000, 1, 2].randomElement(using: &random) ?? 1
        isGuarded = Int.random(in: 0..<4, using: &random) == 0
    }
}

extension Schedule.Step {
    init(_ random: inout SeededGenerator, hasShelves: Bool) {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func key() -> String {
            hasShelves && number(0...2) == 0 ? "s\(number(0...3))" : "n\(number(0...11))"
        }
        func text() -> String { "t\(number(0...3))" }
        switch number(0...34) {
        case 0...5: self = .write(key(), text())
        case 6...8: self = .remove(key())
        case 9...10: self = .wait(milliseconds: [0, 1, 400, 1_000, 5_000][number(0...4)])
        case 11...13:
            self = .inject(Self.fault(number(0...Self.faults), number), times: number(1...7))
        case 14...15:
            self = .scheduleChange(number(1...4), key(), number(0...1) == 0 ? text() : nil)
        case 16: self = .exchange(number(1...4), removed: key(), inserted: key(), text())
        case 17: self = .reset((0..<number(0...8)).map { _ in key() })
        case 18: self = .purge
        case 19: self = .skew(seconds: [-3_600, -2, 1, 90, 7_200][number(0...4)])
        case 20:
            self = .rejectPositions(number(1...4), status: [400, 404, 410, 412][number(0...3)])
        case 21...22: self = .crash(commits: number(0...9), onOtherHost: number(0...4) == 0)
        case 23: self = .cancel(requests: number(1...5))
        case 24:
            self = .concurrentPull(requests: number(1...5), afterLeaseExpiry: number(0...1) == 0)
        case 25: self = .decide(isApproved: number(0...1) == 0)
        case 26: self = .pull(isFull: true)
        case 27...29: self = .changeCounts(Self.errors(number))
        default: self = .pull(isFull: false)
        }
    }

    /// Returns errors of reported counts: too large, too small, or different on each page.
    private static func errors(_ number: (ClosedRange<Int>) -> Int) -> [Int] {
        let first = number(-3...3)
        let isConstant = number(0...2) > 0
        return (0..<number(1...7)).map { _ in isConstant ? first : number(-3...3) }
    }

    /// The highest number of a fault.
    private static let faults = 17

    private static func fault(_ kind: Int, _ number: (ClosedRange<Int>) -> Int) -> FakeFault {
        switch kind {
        case 0: .status(500)
        case 1: .status(503, retryAfter: .seconds(3))
        case 2: .status(429)
        case 3: .status(404)
        case 4: .status(400)
        case 5: .status(410)
        case 6: .status(412)
        case 7: .connectionClosed
        case 8: .noResponse
        case 9: .html
        case 10...11: .duplicatedBody
        case 12: .backoff(seconds: 4)
        case 13: .latency(.seconds(2))
        case 14: .cyclicNextLink
        case 15: .shortBody(after: number(0...300))
        case 16: .reset(after: number(0...300))
        default: .truncatedBody(after: number(0...300))
        }
    }
}

extension Schedule.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .write(let key, let text): "write \(key) \(text)"
        case .remove(let key): "remove \(key)"
        case .wait(let milliseconds): "wait \(milliseconds) ms"
        case .inject(let fault, let times): "inject \(fault), \(times) times"
        case .scheduleChange(let requests, let key, let text):
            "after \(requests) requests \(text.map { "write \(key) \($0)" } ?? "remove \(key)")"
        case .exchange(let requests, let removed, let inserted, let text):
            "after \(requests) requests remove \(removed) and write \(inserted) \(text)"
        case .reset(let keys): "reset, then write \(keys.joined(separator: " "))"
        case .purge: "purge tombstones"
        case .skew(let seconds): "set the service's clock \(seconds) s ahead"
        case .rejectPositions(let times, let status): "reject \(times) positions with \(status)"
        case .changeCounts(let errors): "change counts by \(errors)"
        case .crash(let commits, let onOtherHost):
            "crash after \(commits) commits\(onOtherHost ? ", resume on another host" : "")"
        case .cancel(let requests): "cancel at request \(requests)"
        case .concurrentPull(let requests, let afterLeaseExpiry):
            "concurrent pull at request \(requests)\(afterLeaseExpiry ? ", lease expired" : "")"
        case .decide(let isApproved): isApproved ? "approve deletions" : "reject deletions"
        case .pull(let isFull): isFull ? "pull all" : "pull"
        }
    }
}
