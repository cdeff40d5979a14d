import Foundation
import TidemarkModel

/// A few lines on the terminal that tell how far something is, redrawn in their place.
struct ProgressBar {
    /// Whether anybody would see it, and wants to.
    private let isShown: Bool
    private let isColored: Bool

    /// How many lines stand there.
    private let height = Locked(0)

    private static let width = 24

    /// Lines that are longer would be broken by the terminal, and could not be redrawn.
    static let columns = 79

    init(
        _ output: OutputOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        isShown = Console.isTerminal && !output.quiet && environment["TERM"] != "dumb"
        isColored = (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// A bar and some words behind it.
    static func line(_ done: Int, of expected: Int?, _ words: String, isColored: Bool) -> String {
        let part = expected.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 } ?? 0
        let filled = Int(part * Double(width))
        let (full, rest) = (
            String(repeating: "█", count: filled), String(repeating: "░", count: width - filled)
        )
        let bar = isColored ? "\u{1B}[32m\(full)\u{1B}[2m\(rest)\u{1B}[0m" : full + rest
        return "\(bar) \(words.singleLine(limit: columns - width - 1))"
    }

    /// Shows a bar with some words behind it, in the place of what was shown before.
    func show(_ done: Int, of expected: Int, _ words: String) {
        show { [Self.line(done, of: expected, words, isColored: $0)] }
    }

    /// Shows lines in the place of what was shown before.
    func show(_ lines: (_ isColored: Bool) -> [String]) {
        guard isShown else { return }
        height.withLock { height in
            let lines = lines(isColored)
            Console.show(Self.erasure(height) + lines.joined(separator: "\n"))
            height = lines.count
        }
    }

    /// Tells something above the bar.
    func note(_ text: String) {
        guard isShown else { return }
        clear()
        Console.note(text)
    }

    /// Takes the bar away.
    func clear() {
        guard isShown else { return }
        height.withLock { height in
            Console.show(Self.erasure(height))
            height = 0
        }
    }

    /// What takes so many lines away, the cursor standing in the last of them.
    static func erasure(_ lines: Int) -> String {
        lines > 1 ? "\r\u{1B}[\(lines - 1)A\u{1B}[J" : "\r\u{1B}[J"
    }
}
