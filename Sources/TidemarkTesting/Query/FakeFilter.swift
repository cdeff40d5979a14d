/// The condition that a query specifies.
package indirect enum FakeFilter: Hashable, Sendable {
    case all
    case compare(FakeField, FakeComparison, FakeValue)
    /// The position of the field's value in the total order of all values, in which missing values
    /// come first.
    case ordered(Position, FakeField, FakeValue)
    case exists(FakeField)
    case not(FakeFilter)
    case and([FakeFilter])
    case or([FakeFilter])

    package enum Position: Hashable {
        case at
        case before
        case after
    }

    package static func oneOf(_ values: [FakeValue], in field: FakeField) -> FakeFilter {
        .or(values.map { .compare(field, .equal, $0) })
    }

    func matches(_ record: FakeRecord) -> Bool {
        switch self {
        case .all: true
        case .compare(let field, let comparison, let value):
            comparison.holds(for: field.value(of: record), and: value)
        case .ordered(let position, let field, let value):
            position.holds(for: field.value(of: record), and: value)
        case .exists(.member(let name)): record.object[name] != nil
        case .exists(.key), .exists(.created), .exists(.changed): true
        case .not(let filter): !filter.matches(record)
        case .and(let filters): filters.allSatisfy { $0.matches(record) }
        case .or(let filters): filters.contains { $0.matches(record) }
        }
    }

    /// Returns a lower bound of a field for all matching objects; nil if none is known.
    func least(_ field: FakeField) -> FakeValue? {
        bound(
            Bound(
                of: field,
                comparisons: [.equal, .greater, .greaterOrEqual],
                position: .after,
                isUpper: false
            )
        )
    }

    /// Returns an upper bound of a field for all matching objects; nil if none is known.
    func greatest(_ field: FakeField) -> FakeValue? {
        bound(
            Bound(
                of: field,
                comparisons: [.equal, .less, .lessOrEqual],
                position: .before,
                isUpper: true
            )
        )
    }

    private struct Bound {
        var field: FakeField
        var comparisons: Set<FakeComparison>
        var position: Position
        var isUpper: Bool

        init(
            of field: FakeField,
            comparisons: Set<FakeComparison>,
            position: Position,
            isUpper: Bool
        ) {
            self.field = field
            self.comparisons = comparisons
            self.position = position
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
        case .ordered(let position, let field, let value):
            return field == bound.field && (position == .at || position == bound.position)
                ? value : nil
        case .and(let filters): return bound.narrower(filters.compactMap { $0.bound(bound) })
        case .or(let filters):
            let bounds = filters.map { $0.bound(bound) }
            return bounds.contains(nil) ? nil : bound.wider(bounds.compactMap { $0 })
        }
    }
}
