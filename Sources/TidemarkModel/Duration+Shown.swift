extension Duration {
    /// The duration in seconds for display, such as `30 s` or `0.25 s`, rounded to hundredths.
    package var shown: String {
        let hundredths = (self / .milliseconds(10)).rounded()
        return hundredths.truncatingRemainder(dividingBy: 100) == 0
            ? "\(Int(hundredths) / 100) s" : "\(hundredths / 100) s"
    }
}
