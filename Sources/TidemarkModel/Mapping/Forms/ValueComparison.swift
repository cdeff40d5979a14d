import TidemarkJSON

/// Compares a value that was sent with the one that the service shows, in the form of the service.
///
/// A service stores what it was sent in a form of its own: a date without its fraction, a decimal
/// with two digits. Such a value is the one that was sent.
///
/// ```
/// let comparison = ValueComparison(type: .date, form: forms["due"])
/// comparison.isEqual(sent: .date(1.5), received: .date(1))    // true if it writes whole seconds
/// ```
package struct ValueComparison: Sendable {
    /// The type of the attribute.
    package let type: AttributeType

    /// The form of its values at the service; nil if it is not known.
    package let form: ValueForm?

    /// Creates the comparison of an attribute's values.
    package init(type: AttributeType, form: ValueForm?) {
        self.type = type
        self.form = form
    }

    /// Returns whether a value is the one that was sent, as the service writes it.
    package func isEqual(sent: Value, received: Value) -> Bool {
        if sent == received { return true }
        switch (sent, received) {
        case (.date(let sent), .date(let received)):
            return isEqual(sent: sent, received: received)
        case (.decimal(let one), .decimal(let other)):
            guard let one = DecimalNumber(one), let other = DecimalNumber(other) else {
                return false
            }
            return one.isSame(as: other)
        case (.double(let one), .double(let other)):
            // The single precision in which a service may store it.
            return type == .float && Float(one) == Float(other)
        case (.uuid(let one), .uuid(let other)):
            return one.lowercased() == other.lowercased()
        case (.json(let one), .json(let other)):
            return one.hasSameJSON(as: other)
        default: return false
        }
    }

    /// Returns whether a service that writes dates in the form has truncated or rounded one.
    private func isEqual(sent: Double, received: Double) -> Bool {
        guard let sent = DateFormat.microseconds(fromSeconds: sent),
            let received = DateFormat.microseconds(fromSeconds: received)
        else { return false }
        guard case .date(let form) = form else { return sent == received }
        let unit = form.granularity
        let (quotient, rest) = CivilTime.divide(sent, by: unit)
        let truncated = quotient * unit
        // A day is never rounded: the afternoon would be on the next one.
        let isRounded = rest > 0 && !form.isDay
        return received == truncated || isRounded && received == truncated + unit
    }
}
