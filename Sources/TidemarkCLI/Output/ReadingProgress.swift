/// Shows how much of a document has been read.
final class ReadingProgress {
    private let bar: ProgressBar
    private let length: Int
    private var done = 0
    private var shown = -1

    /// The minimum length in bytes: shorter documents are read too quickly for a bar to be useful.
    private static let shortest = 4 << 20

    /// Creates a bar that is not displayed yet.
    ///
    /// Without a length, it is never displayed.
    init(_ bar: ProgressBar, length: Int?) {
        self.bar = bar
        self.length = length ?? 0
    }

    /// Records that bytes were read, and redraws the bar when the percentage changes.
    func read(_ count: Int) {
        done += count
        guard length >= Self.shortest, done * 100 / length != shown else { return }
        shown = done * 100 / length
        bar.show(done, of: length, label: "\(done >> 20) of \(length >> 20) MiB read")
    }

    /// Removes the bar.
    func clear() {
        bar.clear()
    }
}
