extension DecimalNumber {
    /// Reads a JSON number or a numeric string.
    package init?(_ text: String) {
        var text = text
        guard let number = text.withUTF8({ DecimalNumber(UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = number
    }

    /// Returns whether the numbers are equal, however they were written.
    package func isSame(as other: DecimalNumber) -> Bool {
        count == other.count && leading == other.leading && trailing == other.trailing
            && exponent == other.exponent && (isNegative == other.isNegative || count == 0)
    }
}
