extension FakeFilter {
    /// A filter that matches nothing.
    static let never = FakeFilter.or([])

    /// Returns the filter that remains for objects that have a known value in a field.
    ///
    /// The position after a cursor in an order of several fields is a filter with one branch per
    /// field. Among objects that are equal in the first field, only the other branches remain.
    func assuming(_ value: FakeValue, in field: FakeField) -> FakeFilter {
        switch self {
        case .all, .exists: return self
        case .compare(let own, let comparison, let other):
            guard own == field else { return self }
            return comparison.holds(for: value, and: other) ? .all : .never
        case .ordered(let position, let own, let other):
            guard own == field else { return self }
            return position.holds(for: value, and: other) ? .all : .never
        case .not(let filter):
            let rest = filter.assuming(value, in: field)
            if rest == .all { return .never }
            return rest == .never ? .all : .not(rest)
        case .and(let filters):
            let rest = filters.map { $0.assuming(value, in: field) }.filter { $0 != .all }
            if rest.contains(.never) { return .never }
            return rest.isEmpty ? .all : .and(rest)
        case .or(let filters):
            let rest = filters.map { $0.assuming(value, in: field) }.filter { $0 != .never }
            return rest.contains(.all) ? .all : .or(rest)
        }
    }
}

extension FakeFilter.Position {
    /// Returns whether a value is at this position relative to another.
    func holds(for one: FakeValue, and other: FakeValue) -> Bool {
        switch self {
        case .at: one == other
        case .before: one < other
        case .after: one > other
        }
    }
}
