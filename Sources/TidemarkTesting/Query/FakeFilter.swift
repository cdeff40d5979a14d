/// The condition that a query specifies.
indirect enum FakeFilter: Hashable, Sendable {
    case all
    case compare(FakeField, FakeComparison, FakeValue)
    /// The position of the field's value in the total order of all values, in which missing values
    /// come first.
    case lies(Place, FakeField, FakeValue)
    case exists(FakeField)
    case not(FakeFilter)
    case and([FakeFilter])
    case or([FakeFilter])

    enum Place: Hashable {
        case at
        case before
        case behind
    }

    static func oneOf(_ field: FakeField, _ values: [FakeValue]) -> FakeFilter {
        .or(values.map { .compare(field, .equal, $0) })
    }

    func matches(_ record: FakeRecord) -> Bool {
        switch self {
        case .all: true
        case .compare(let field, let comparison, let value):
            comparison.holds(field.value(of: record), value)
        case .lies(let place, let field, let value):
            place.holds(field.value(of: record), value)
        case .exists(.member(let name)): record.object[name] != nil
        case .exists(.key), .exists(.created), .exists(.changed): true
        case .not(let filter): !filter.matches(record)
        case .and(let filters): filters.allSatisfy { $0.matches(record) }
        case .or(let filters): filters.contains { $0.matches(record) }
        }
    }

    /// Returns a lower bound of a field for all matching objects; nil if none is known.
    func least(_ field: FakeField) -> FakeValue? {
        bound(Bound(field, [.equal, .greater, .greaterOrEqual], .behind, isUpper: false))
    }

    /// Returns an upper bound of a field for all matching objects; nil if none is known.
    func greatest(_ field: FakeField) -> FakeValue? {
        bound(Bound(field, [.equal, .less, .lessOrEqual], .before, isUpper: true))
    }

    private struct Bound {
        var field: FakeField
        var comparisons: Set<FakeComparison>
        var place: Place
        var isUpper: Bool

        init(
            _ field: FakeField,
            _ comparisons: Set<FakeComparison>,
            _ place: Place,
            isUpper: Bool
        ) {
            self.field = field
            self.comparisons = comparisons
            self.place = place
            self.isUpper = isUpper
            // An array with the value as an element also compares as equal, but sorts elsewhere.
            if case .member = field { self.comparisons.remove(.equal) }
        }

        func wider(_ values: [FakeValue]) -> FakeValue? { isUpper ? values.max() : values.min() }

        func narrower(_ values: [FakeValue]) -> FakeValue? { isUpper ? values.min() : values.max() }
    }

    private func bound(_ bound: Bound) -> FakeValue? {
        switch self {
        case .all, .exists, .not: return nil
        case .compare(let field, let comparison, let value):
            return field == bound.field && bound.comparisons.contains(comparison) ? value : nil
        case .lies(let place, let field, let value):
            return field == bound.field && (place == .at || place == bound.place) ? value : nil
        case .and(let filters): return bound.narrower(filters.compactMap { $0.bound(bound) })
        case .or(let filters):
            let bounds = filters.map { $0.bound(bound) }
            return bounds.contains(nil) ? nil : bound.wider(bounds.compactMap { $0 })
        }
    }
}
