import Foundation
import Testing

@testable import TidemarkModel

struct DecimalOrderTests {
    @Test func `decimals of any length have an order, and so have other texts`() {
        let sorted = [
            "-100000000000000000000", "-2", "-1.5", "-1.25", "-0.1", "0", "0.001", "0.01", "0.1",
            "0.11", "0.2", "1", "1.5", "9", "10", "12345678901234567890.1",
        ]
        for (index, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                let order = DecimalOrder.compare(left, right).rawValue
                #expect(order == (index == other ? 0 : index < other ? -1 : 1), "\(left) \(right)")
            }
        }
        for text in ["", "-", "x", ".", "1.2.3", "é"] {
            #expect(DecimalOrder.compare(text, text).rawValue == 0)
            #expect(
                DecimalOrder.compare(text, "7").rawValue
                    == -DecimalOrder.compare("7", text).rawValue
            )
        }
    }
}
