import TidemarkModel

/// How many changes may have stored requests at a time.
///
/// Whatever ends the process, or takes its lease, makes the outcome of each of them unknown. So
/// they are no more than the service processes in a third of the lease.
struct SendingPace: Sendable {
    /// The changes that one group has sent in a second; nil before the first.
    private var rate: Double?

    /// The most changes of a group: its transactions wait for the disk, and occupy memory.
    private static let largest = 200

    /// How long the requests of a group may take, in seconds: a third of the lease.
    private static let time = Lease.duration / .seconds(3)

    /// How many requests are stored before the pace is known, by the number that are sent at a
    /// time.
    private static let first = 4

    /// Records how long a group was sent.
    mutating func record(_ changes: Int, in duration: Duration) {
        guard changes > 0 else { return }
        rate = Double(changes) / max(duration / .seconds(1), 1e-6)
    }

    /// Returns the number of changes of the next group.
    ///
    /// - Parameters:
    ///   - concurrency: How many requests are sent at a time.
    ///   - workers: How many groups are sent at a time.
    ///   - batch: How many changes a request contains.
    /// - Returns: The number.
    func groupSize(concurrency: Int, workers: Int, batch: Int) -> Int {
        guard let rate else {
            return min(Self.largest, max(1, Self.first * concurrency / workers) * max(1, batch))
        }
        // What the groups send together is the sum of what each of them does.
        return min(Self.largest, max(1, Int(min(rate * Self.time, 1e6))))
    }
}
