/// Seconds since it was made.
struct Stopwatch {
    private let start = ContinuousClock.now

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

extension [Double] {
    /// The value that this share of all does not exceed; 0 where there are none.
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
