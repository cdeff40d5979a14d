package import Foundation

/// The numeric order of decimal numbers in their canonical text form, in which a store keeps them.
///
/// Texts that are not canonical numbers are ordered, too: SQLite requires a collation to be a total
/// order of all texts.
package enum DecimalOrder {
    /// Compares two decimal numbers by value.
    package static func compare(_ left: String, _ right: String) -> ComparisonResult {
        let (first, second) = (Parts(left), Parts(right))
        guard first.isNegative == second.isNegative else {
            return first.isNegative ? .orderedAscending : .orderedDescending
        }
        return first.isNegative
            ? magnitudes(second, first) : magnitudes(first, second)
    }

    private struct Parts {
        let isNegative: Bool
        let whole: Substring.UTF8View
        let fraction: Substring.UTF8View

        init(_ text: String) {
            isNegative = text.utf8.first == 0x2D
            let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
            let point = digits.firstIndex(of: 0x2E) ?? digits.endIndex
            whole = digits[..<point]
            fraction = digits[point...]
        }
    }

    private static func magnitudes(_ left: Parts, _ right: Parts) -> ComparisonResult {
        // Canonical numbers have no leading zeros, so the one with more integer digits is greater.
        guard left.whole.count == right.whole.count else {
            return left.whole.count < right.whole.count ? .orderedAscending : .orderedDescending
        }
        let whole = bytes(left.whole, right.whole)
        return whole == .orderedSame ? bytes(left.fraction, right.fraction) : whole
    }

    private static func bytes(
        _ left: Substring.UTF8View,
        _ right: Substring.UTF8View
    ) -> ComparisonResult {
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
    }
}
