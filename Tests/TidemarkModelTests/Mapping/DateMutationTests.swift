import Testing
import TidemarkTestSupport

@testable import TidemarkModel

struct DateMutationTests {
    private static let samples = [
        "2016-01-09T12:40:08.123456Z", "2016-01-09 12:40:08+02:00", "/Date(1452343208000+0100)/",
        "Sat, 09 Jan 2016 12:40:08 GMT", "-1452343208.5e-1", "20160109T124008",
    ].map { Array($0.utf8) }

    @Test func `a damaged date is rejected or round-trips`() {
        for seed in UInt64(1)...20_000 {
            var generator = SeededGenerator(seed: seed)
            var bytes = Self.samples[Int(generator.next() % UInt64(Self.samples.count))]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                let letters = Array("0123456789-+:.,TZ /e(\0\u{FF}".utf8)
                if Bool.random(using: &generator) {
                    bytes[index] = letters[Int(generator.next() % UInt64(letters.count))]
                } else if bytes.count > 1 {
                    bytes.remove(at: index)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let moment = DateFormat.automatic.microseconds(from: text) else { continue }
            let written = DateFormat.automatic.string(from: moment)
            #expect(
                DateFormat.automatic.microseconds(from: written) == moment,
                "seed \(seed): \(text) → \(written)"
            )
        }
    }
}
