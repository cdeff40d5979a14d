extension DecimalNumber {
    /// Reads a number as a JSON text or a numeric text has it.
    package init?(_ text: String) {
        var text = text
        guard let number = text.withUTF8({ DecimalNumber(UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = number
    }

    /// Whether the numbers are equal, however they were written.
    package func isSame(as other: DecimalNumber) -> Bool {
        count == other.count && leading == other.leading && trailing == other.trailing
            && exponent == other.exponent && (isNegative == other.isNegative || count == 0)
    }
}
