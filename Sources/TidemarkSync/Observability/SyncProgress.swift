/// The progress of a pull, computed from its events.
///
/// ```swift
/// var progress = SyncProgress()
/// for await event in engine.events() {
///     progress.update(with: event)
///     print(progress.fraction)
/// }
/// ```
public struct SyncProgress: Sendable, Hashable {
    /// The progress of one resource.
    public struct Part: Sendable, Hashable {
        /// The number of objects so far.
        public var done = 0
        /// The total number of objects; nil if the service does not report it.
        public var expected: Int?
        /// Whether the pull of the resource has ended, successfully or not.
        public var isEnded = false

        /// Creates the progress of a resource without objects so far.
        public init() {}

        /// The completed fraction from 0 to 1; nil if the total is unknown.
        public var fraction: Double? {
            if isEnded { return 1 }
            guard let expected, expected > 0 else { return nil }
            return min(1, Double(done) / Double(expected))
        }
    }

    /// The progress of each resource, by path, in the running pull or else the last one.
    public private(set) var resources: [String: Part] = [:]

    /// Creates a progress without resources.
    public init() {}

    /// The completed fraction from 0 to 1.
    ///
    /// All resources have the same weight, and one whose total is unknown counts as 0 until its
    /// end.
    public var fraction: Double {
        guard !resources.isEmpty else { return 0 }
        return resources.values.reduce(0) { $0 + ($1.fraction ?? 0) } / Double(resources.count)
    }

    /// Updates the progress with an event.
    public mutating func update(with event: SyncEvent) {
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
