import TidemarkModel
import TidemarkSync

/// Shows the progress of a pull: one line for each resource that is being read.
final class PullProgress: Sendable {
    private let bar: ProgressBar
    private let names: ResourceNames
    private let progress = Locked(SyncProgress())

    /// The maximum number of resources that have a line.
    private static let height = 8

    /// The maximum length of a resource's name.
    private static let nameLength = 24

    init(_ bar: ProgressBar, names: ResourceNames) {
        self.bar = bar
        self.names = names
    }

    /// Updates the display after an event.
    @Sendable func show(_ event: SyncEvent) {
        if case .retrying(let after, let reason) = event {
            bar.log("\(reason) Trying again in \(after.shown).")
        }
        progress.withLock { progress in
            progress.update(with: event)
            bar.show { Self.lines(progress.resources, names: names, isColored: $0) }
        }
    }

    /// Removes the lines.
    func clear() {
        bar.clear()
    }

    /// Returns the lines: the resources that are being read, and how many others there are.
    static func lines(
        _ parts: [String: SyncProgress.Part],
        names: ResourceNames,
        isColored: Bool
    ) -> [String] {
        let running = parts.filter { !$0.value.isEnded && $0.value.isBegun }
            .sorted { $0.key < $1.key }
        let titles = running.prefix(height).map { path, _ in
            String(names.name(of: path).singleLine(limit: 4 * nameLength).suffix(nameLength))
        }
        let width = titles.map(\.count).max() ?? 0
        let lines = zip(titles, running).map { name, resource in
            let part = resource.value
            let padding = String(repeating: " ", count: width - name.count)
            let count = part.expected.map { "\(part.done) of \(max($0, part.done))" }
            return ProgressBar.line(
                part.done,
                of: part.expected,
                label: "\(name)\(padding)  \(count ?? "\(part.done)") objects",
                isColored: isColored
            )
        }
        let ended = parts.values.count(where: \.isEnded)
        var rest: [String] = []
        if running.count > height { rest.append("\(running.count - height) more in progress") }
        if ended > 0 { rest.append("\(ended) of \(parts.count) resources are done") }
        return rest.isEmpty ? lines : lines + [rest.joined(separator: ", ")]
    }
}

extension SyncProgress.Part {
    /// Whether the progress of the resource is known.
    fileprivate var isBegun: Bool { done > 0 || expected != nil }
}
