/// Measures the seconds since its creation.
struct Stopwatch {
    private let start = ContinuousClock.now

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

extension [Double] {
    /// Returns the value that this share of all values does not exceed; 0 if there are no values.
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
