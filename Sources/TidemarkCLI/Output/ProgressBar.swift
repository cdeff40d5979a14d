/// A line on the terminal that tells how far something is.
struct ProgressBar {
    /// Whether anybody would see it, and wants to.
    private let isShown: Bool

    private static let width = 24

    init(_ output: OutputOptions) {
        isShown = Console.isTerminal && !output.quiet
    }

    /// Shows the bar with some words behind it, in the place of what it showed before.
    func show(_ done: Int, of expected: Int, _ words: String) {
        guard isShown else { return }
        let filled = expected > 0 ? Self.width * min(done, expected) / expected : 0
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.width - filled)
        Console.write("\r\u{1B}[K\(bar) \(words)")
    }

    /// Tells something above the bar.
    func note(_ text: String) {
        guard isShown else { return }
        clear()
        Console.note(text)
    }

    /// Takes the bar away.
    func clear() {
        if isShown { Console.write("\r\u{1B}[K") }
    }
}
