import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct DecimalNumberTests {
    private func double(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return DecimalNumber(bytes)?.double(bytes)
        }
    }

    @Test func `rounds as the standard library does`() {
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<2000 {
                let digits = generator.next() >> UInt64.random(in: 0...63, using: &generator)
                let exponent = Int.random(in: -25...25, using: &generator)
                let text = "\(digits)e\(exponent)"
                #expect(double(text) == Double(text), "seed \(seed): \(text)")
                let number = Double(bitPattern: generator.next())
                if number.isFinite { #expect(double("\(number)") == number, "seed \(seed)") }
            }
        }
    }

    @Test func `rounds exact ties to even`() {
        for text in [
            "9007199254740993", "9007199254740995", "4503599627370496.5", "4503599627370497.5",
            "18014398509481986", "18014398509481990", "1125899906842624.125",
            "1125899906842624.375", "9007199254740993e1", "0.5", "0.1e1", "9999999999999999999e19",
            "1e19", "1e-19", "18446744073709551615", "9999999999999999999e-19",
        ] {
            #expect(double(text) == Double(text), "\(text)")
        }
    }
}
