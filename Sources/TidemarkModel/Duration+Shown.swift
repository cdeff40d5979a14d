extension Duration {
    /// The duration for people, such as `30 s` or `0.25 s`.
    package var shown: String {
        let hundredths = (self / .milliseconds(10)).rounded()
        return hundredths.truncatingRemainder(dividingBy: 100) == 0
            ? "\(Int(hundredths) / 100) s" : "\(hundredths / 100) s"
    }
}
