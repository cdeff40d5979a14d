import Foundation

/// What a property is tried on: random, and able to become smaller while it still shows a failure.
package protocol Sample: CustomStringConvertible {
    /// The samples with one thing less.
    var smaller: [Self] { get }
}

/// Something that holds for all samples.
///
/// A property is tried on samples of consecutive seeds. The first sample it fails for is made
/// smaller as long as it fails, and told together with its seed. `TIDEMARK_SEED` is the seed to
/// begin with (then one sample is tried), `TIDEMARK_CASES` how many samples are tried.
package struct Property<Kind: Sample> {
    private let cases: Int
    private let place: String
    private let sample: (UInt64) throws -> Kind

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - cases: how many samples are tried where nobody says otherwise.
    ///   - place: the test, as `swift test --filter` knows it.
    ///   - sample: makes the sample of a seed.
    package init(
        cases: Int,
        place: String = #function,
        sample: @escaping (UInt64) throws -> Kind
    ) {
        self.cases = cases
        self.place = place
        self.sample = sample
    }

    /// Tries the property; `body` throws where it does not hold.
    ///
    /// Between samples other tests get their turn: those that wait for a socket cannot wait for
    /// thousands of samples.
    ///
    /// - Throws: ``Falsified``.
    package func holds(_ body: (Kind) async throws -> Void) async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["TIDEMARK_SEED"].flatMap { UInt64($0) }
        let count = environment["TIDEMARK_CASES"].flatMap { Int($0) } ?? (first == nil ? cases : 1)
        for seed in (first ?? 0)..<(first ?? 0) + UInt64(max(0, count)) {
            await Task.yield()
            let sample = try sample(seed)
            guard let failure = await Self.failure(of: sample, body) else { continue }
            let least = await Self.least(sample, failure, body)
            throw Falsified(
                description: """
                    The property does not hold: \(least.failure)
                    Sample:
                    \(least.sample)
                    Repeat: TIDEMARK_SEED=\(seed) swift test --filter '\(filter)'
                    """
            )
        }
    }

    /// The name of the test without what a filter would read as a pattern.
    private var filter: String {
        place.split { !$0.isLetter && !$0.isNumber }.joined(separator: ".")
    }

    private static func failure(
        of sample: Kind,
        _ body: (Kind) async throws -> Void
    ) async -> String? {
        do {
            try await body(sample)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// How often a sample may be tried while it becomes smaller.
    private static var attempts: Int { 1_500 }

    private static func least(
        _ sample: Kind,
        _ failure: String,
        _ body: (Kind) async throws -> Void
    ) async -> (sample: Kind, failure: String) {
        var least = (sample: sample, failure: failure)
        var attempts = attempts
        var isSmaller = true
        while isSmaller, attempts > 0 {
            isSmaller = false
            for candidate in least.sample.smaller where attempts > 0 {
                attempts -= 1
                guard let failure = await Self.failure(of: candidate, body) else { continue }
                least = (candidate, failure)
                isSmaller = true
                break
            }
        }
        return least
    }
}

/// A property does not hold.
package struct Falsified: Error, CustomStringConvertible {
    package let description: String
}

/// What is wrong with a sample.
package struct Counterexample: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Throws where two things that should be alike are not.
package func same(_ actual: String, _ expected: String, _ claim: String) throws {
    guard actual != expected else { return }
    let expectedLines = expected.split(separator: "\n")
    let actualLines = actual.split(separator: "\n")
    let known = Set(expectedLines)
    let found = Set(actualLines)
    let lines =
        expectedLines.filter { !found.contains($0) }.map { "  expected \($0)" }
        + actualLines.filter { !known.contains($0) }.map { "  but was  \($0)" }
    throw Counterexample("\(claim)\n\(lines.joined(separator: "\n"))")
}
