/// The limit of a number that is measured.
enum Limit: Sendable {
    case atMost(Double)
    case atLeast(Double)

    /// The number that still holds.
    var bound: Double {
        switch self {
        case .atMost(let bound), .atLeast(let bound): bound
        }
    }

    /// Returns whether a number is within the limit.
    func allows(_ value: Double) -> Bool {
        switch self {
        case .atMost(let bound): value <= bound
        case .atLeast(let bound): value >= bound
        }
    }
}
