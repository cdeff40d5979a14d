import Foundation
import TidemarkModel

/// Progress lines on the terminal that are redrawn in place.
struct ProgressBar {
    /// Whether standard error is a terminal and the user wants progress.
    private let isShown: Bool
    private let isColored: Bool

    /// The number of lines currently displayed.
    private let height = Locked(0)

    private static let width = 24

    /// The maximum width.
    ///
    /// The terminal would wrap longer lines, and they could not be redrawn in place.
    static let columns = 79

    init(
        _ output: OutputOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        isShown = Console.isTerminal && !output.quiet && environment["TERM"] != "dumb"
        isColored = (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Returns a bar followed by a label.
    static func line(
        _ done: Int,
        of expected: Int?,
        label: String,
        isColored: Bool
    ) -> String {
        let part = expected.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 } ?? 0
        let filled = Int(part * Double(width))
        let (full, rest) = (
            String(repeating: "█", count: filled), String(repeating: "░", count: width - filled)
        )
        let bar = isColored ? "\u{1B}[32m\(full)\u{1B}[2m\(rest)\u{1B}[0m" : full + rest
        return "\(bar) \(label.singleLine(limit: columns - width - 1))"
    }

    /// Replaces the displayed lines with a bar and a label.
    func show(_ done: Int, of expected: Int, label: String) {
        show { [Self.line(done, of: expected, label: label, isColored: $0)] }
    }

    /// Replaces the displayed lines.
    func show(_ lines: (_ isColored: Bool) -> [String]) {
        guard isShown else { return }
        height.withLock { height in
            let lines = lines(isColored)
            Console.show(Self.erasure(height) + lines.joined(separator: "\n"))
            height = lines.count
        }
    }

    /// Prints a line above the bar.
    func log(_ text: String) {
        guard isShown else { return }
        clear()
        Console.log(text)
    }

    /// Removes the bar.
    func clear() {
        guard isShown else { return }
        height.withLock { height in
            Console.show(Self.erasure(height))
            height = 0
        }
    }

    /// Returns the control sequence that erases the displayed lines.
    ///
    /// The cursor is in the last line.
    static func erasure(_ lines: Int) -> String {
        lines > 1 ? "\r\u{1B}[\(lines - 1)A\u{1B}[J" : "\r\u{1B}[J"
    }
}
