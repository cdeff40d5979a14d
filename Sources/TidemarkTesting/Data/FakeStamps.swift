/// How a fake service stamps what changes, by its own clock.
public struct FakeStamps: Hashable, Sendable {
    /// How a stamp follows those before it.
    public enum Order: Hashable, Sendable {
        /// As the clock says: two changes may have the same stamp, and a clock that was set back
        /// gives earlier ones.
        case byClock
        /// Each is later than all before it in its collection, whatever the clock says.
        case ascending
    }

    /// How finely stamps are stored.
    public var stored: FakePrecision

    /// How they follow each other.
    public var order: Order

    /// Creates a way to stamp.
    public init(stored: FakePrecision = .microseconds, order: Order = .byClock) {
        self.stored = stored
        self.order = order
    }

    func stamp(now: Int64, after last: Int64) -> Int64 {
        switch order {
        case .byClock: stored.cut(now)
        case .ascending: max(stored.cut(now), stored.cut(last) + stored.rawValue)
        }
    }
}
