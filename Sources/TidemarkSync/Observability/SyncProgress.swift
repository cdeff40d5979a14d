/// How far a pull is, gathered from its events.
///
/// ```swift
/// var progress = SyncProgress()
/// for await event in engine.events() {
///     progress.note(event)
///     bar.fraction = progress.fraction
/// }
/// ```
public struct SyncProgress: Sendable, Hashable {
    /// How far one resource is.
    public struct Part: Sendable, Hashable {
        /// How many objects have come.
        public var done = 0
        /// How many there will be, if the service tells.
        public var expected: Int?
        /// Whether it is pulled no further.
        public var isEnded = false

        /// A resource of which nothing has come.
        public init() {}

        /// How much of it is done, from 0 to 1; nil where nobody knows.
        public var fraction: Double? {
            if isEnded { return 1 }
            guard let expected, expected > 0 else { return nil }
            return min(1, Double(done) / Double(expected))
        }
    }

    /// The resources of the pull that runs, or that ran last, by path.
    public private(set) var resources: [String: Part] = [:]

    /// Begins with nothing.
    public init() {}

    /// How much is done, from 0 to 1: every resource counts alike, and one of unknown length
    /// nothing until its end.
    public var fraction: Double {
        guard !resources.isEmpty else { return 0 }
        return resources.values.reduce(0) { $0 + ($1.fraction ?? 0) } / Double(resources.count)
    }

    /// Takes an event into account.
    public mutating func note(_ event: SyncEvent) {
        switch event {
        case .started(let paths):
            resources = Dictionary(paths.map { ($0, Part()) }) { first, _ in first }
        case .page(let path, let done, let expected):
            resources[path, default: Part()].done = done
            if let expected { resources[path]?.expected = expected }
        case .applied(let path, _), .failed(let path, _):
            resources[path, default: Part()].isEnded = true
        case .retrying, .deletionPending, .finished, .stopped:
            break
        }
    }
}
