/// The progress of a pull, computed from its events.
///
/// Use it for a progress bar: feed it every ``SyncEvent`` of a pull, and read ``fraction``. It is a
/// value, so a view can own a copy on the main actor. It starts again with each
/// ``SyncEvent/started(resources:)``, and may therefore follow the events of many pulls.
///
/// ```swift
/// var progress = SyncProgress()
/// for await event in engine.events() {
///     progress.update(with: event)
///     print(progress.fraction)    // 0.0 … 1.0
/// }
/// ```
public struct SyncProgress: Sendable, Hashable {
    /// The progress of one resource.
    package struct Part: Sendable, Hashable {
        /// The number of objects so far.
        package var done = 0
        /// The total number of objects; nil if the service does not report it.
        package var expected: Int?
        /// Whether the pull of the resource has ended, successfully or not.
        package var isEnded = false

        /// Creates the progress of a resource without objects so far.
        package init() {}

        /// The completed fraction from 0 to 1; nil if the total is unknown.
        package var fraction: Double? {
            if isEnded { return 1 }
            guard let expected, expected > 0 else { return nil }
            return min(1, Double(done) / Double(expected))
        }
    }

    /// The progress of each resource, by path, in the running pull or else the last one.
    package private(set) var resources: [String: Part] = [:]

    /// Creates a progress without resources, whose fraction is 0.
    public init() {}

    /// The completed fraction from 0 to 1.
    ///
    /// All resources have the same weight, and one whose total is unknown counts as 0 until its
    /// end. So the bar of a service that reports no totals advances from one finished resource to
    /// the next. If a list is read again because its objects moved between pages, the fraction
    /// decreases.
    ///
    /// ```swift
    /// let pull = engine.startPull()
    /// var progress = SyncProgress()
    /// for await event in pull.events {
    ///     progress.update(with: event)
    ///     print("\(Int(progress.fraction * 100)) %")
    /// }
    /// ```
    public var fraction: Double {
        guard !resources.isEmpty else { return 0 }
        return resources.values.reduce(0) { $0 + ($1.fraction ?? 0) } / Double(resources.count)
    }

    /// Updates the progress with an event.
    ///
    /// Pass the events of a pull in the order in which they were received, from its start.
    /// ``SyncEvent/retrying(after:reason:)`` and others that say nothing about the progress are
    /// ignored.
    ///
    /// - Parameter event: An event of ``SyncPull/events``, ``SyncEngine/events()`` or the `onEvent`
    ///   of an engine.
    public mutating func update(with event: SyncEvent) {
        switch event {
        case .started(let paths):
            resources = Dictionary(paths.map { ($0, Part()) }) { first, _ in first }
        case .page(let path, let done, let expected):
            resources[path, default: Part()].done = done
            if let expected { resources[path]?.expected = expected }
        case .pulled(let path, _), .failed(let path, _):
            resources[path, default: Part()].isEnded = true
        case .retrying, .deletionPending, .finished, .stopped: break
        case .pushing, .pushed, .adopted, .rejected, .uncertain, .notShown, .conflict: break
        case .editsUnrecorded, .storeCopied, .versionsFail, .orderNotSent: break
        case .serviceDeletionPending: break
        }
    }
}
