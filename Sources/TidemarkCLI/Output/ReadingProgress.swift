/// Shows how much of a document has been read.
final class ReadingProgress {
    private let bar: ProgressBar
    private let length: Int
    private var done = 0
    private var shown = -1

    /// Shorter documents are read before anybody could look.
    private static let shortest = 4 << 20

    /// Shows nothing yet; a document whose length nobody knows shows nothing at all.
    init(_ bar: ProgressBar, length: Int?) {
        self.bar = bar
        self.length = length ?? 0
    }

    /// Notes that bytes were read, and draws when a percent is full.
    func read(_ count: Int) {
        done += count
        guard length >= Self.shortest, done * 100 / length != shown else { return }
        shown = done * 100 / length
        bar.show(done, of: length, "\(done >> 20) of \(length >> 20) MiB read")
    }

    /// Takes the bar away.
    func clear() {
        bar.clear()
    }
}
