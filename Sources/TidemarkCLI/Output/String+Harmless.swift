extension String {
    /// The text as a terminal may show it: what came from elsewhere must not steer the screen.
    ///
    /// Control characters become blanks, all but the ends of lines.
    var harmless: String {
        let isHarmful = unicodeScalars.contains { $0.isControl && $0 != "\n" }
        guard isHarmful else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            result.append(scalar.isControl && scalar != "\n" ? " " : scalar)
        }
        return String(result)
    }

    /// The text as a line of its own: what came from elsewhere must not begin another.
    var unbroken: String { harmless.replacing("\n", with: " ") }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
