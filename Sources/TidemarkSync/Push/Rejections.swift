import TidemarkStore

/// The changes that a service has rejected in one run, and those of them after which it has
/// accepted another one in the same list.
struct Rejections: Sendable {
    typealias Rejection = (change: Int64, entity: String)

    private var latest: [String: [Rejection]] = [:]
    private var outdated: [String: [Rejection]] = [:]

    mutating func reject(_ change: CapturedChange, in path: String) {
        latest[path, default: []].append((change.number, change.row.entity))
    }

    mutating func accept(in path: String) {
        guard let rejected = latest.removeValue(forKey: path) else { return }
        outdated[path, default: []] += rejected
    }

    /// Returns the rejections that an acceptance has followed, and forgets all.
    ///
    /// - Parameter limit: How many are returned of each list at most.
    /// - Returns: The rejections, in the order of the changes.
    mutating func takeOutdated(atMost limit: Int) -> [Rejection] {
        defer { self = Rejections() }
        return outdated.values.flatMap { $0.prefix(limit) }.sorted { $0.change < $1.change }
    }
}
