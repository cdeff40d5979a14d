/// The limit of a number: the goal, and what the project may have until it reaches the goal.
struct Limit: Sendable {
    let goal: Double
    let cap: Double

    private let isMinimum: Bool

    static func atMost(_ goal: Double, today cap: Double? = nil) -> Limit {
        Limit(goal: goal, cap: cap ?? goal, isMinimum: false)
    }

    static func atLeast(_ goal: Double, today cap: Double? = nil) -> Limit {
        Limit(goal: goal, cap: cap ?? goal, isMinimum: true)
    }

    func meetsGoal(_ value: Double) -> Bool { isMinimum ? value >= goal : value <= goal }

    func meetsCap(_ value: Double) -> Bool { isMinimum ? value >= cap : value <= cap }
}
