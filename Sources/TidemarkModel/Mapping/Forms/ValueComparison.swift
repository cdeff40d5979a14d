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

extension String {
    /// The text without what services change when they store one: the space around it, the ends of
    /// its lines, and character references of HTML.
    ///
    /// Two texts that differ in nothing else may be the one that was sent, and the one that the
    /// service shows.
    package var normalized: String {
        var text = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        // Each once, with the ampersand last: what was escaped twice stays different.
        for (reference, character) in Self.characterReferences {
            text = text.replacing(reference, with: character)
        }
        let begun = text.trimmingPrefix(while: \.isWhitespace)
        return String(begun.trimmingSuffix(while: \.isWhitespace))
    }

    private static let characterReferences = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#x22;", "\""),
        ("&apos;", "'"), ("&#39;", "'"), ("&#x27;", "'"), ("&#039;", "'"), ("&nbsp;", "\u{A0}"),
        ("&#38;", "&"), ("&amp;", "&"),
    ]
}

extension Substring {
    /// Returns the text without the characters at its end that satisfy a condition.
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)]
    }
}
