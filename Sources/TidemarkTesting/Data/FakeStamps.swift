/// The rule by which a fake service timestamps changes.
package struct FakeStamps: Hashable, Sendable {
    /// The order of consecutive timestamps.
    package enum Order: Hashable, Sendable {
        /// The time of the clock. Two changes may have the same timestamp, and after the clock is
        /// set back, later changes have earlier timestamps.
        case byClock
        /// Strictly increasing within a collection, regardless of the clock.
        case ascending
    }

    /// The precision of stored timestamps.
    ///
    /// Defaults to microseconds.
    package var stored: FakePrecision

    /// The order of consecutive timestamps.
    ///
    /// Defaults to the time of the clock.
    package var order: Order

    /// Creates a rule.
    package init(stored: FakePrecision = .microseconds, order: Order = .byClock) {
        self.stored = stored
        self.order = order
    }

    func stamp(now: Int64, after last: Int64) -> Int64 {
        switch order {
        case .byClock: stored.roundedDown(now)
        case .ascending: max(stored.roundedDown(now), stored.roundedDown(last) + stored.rawValue)
        }
    }
}
