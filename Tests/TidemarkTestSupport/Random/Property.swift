import Foundation

/// A random input of a property, which can be shrunk while it still fails.
package protocol Sample: CustomStringConvertible {
    /// The samples that are smaller by one step.
    var smaller: [Self] { get }
}

/// A statement that holds for all samples.
///
/// A property is tested on samples of consecutive seeds. The first sample that fails is shrunk as
/// long as it still fails, and is reported with its seed. The environment variable `TIDEMARK_SEED`
/// sets the first seed, and then only one sample is tested by default. `TIDEMARK_CASES` sets the
/// number of samples.
package struct Property<Kind: Sample> {
    private let cases: Int
    private let test: String
    private let sample: (UInt64) throws -> Kind

    /// Creates a property.
    ///
    /// - Parameters:
    ///   - cases: The number of samples to test, unless the environment specifies another.
    ///   - test: The name of the test, for `swift test --filter`.
    ///   - sample: Creates the sample of a seed.
    package init(
        cases: Int,
        test: String = #function,
        sample: @escaping (UInt64) throws -> Kind
    ) {
        self.cases = cases
        self.test = test
        self.sample = sample
    }

    /// Tests the property on all samples; `body` throws if it does not hold.
    ///
    /// It yields between samples, so that tests which wait for a socket are not delayed by
    /// thousands of samples.
    ///
    /// - Throws: ``Falsified`` with the smallest sample that was found to fail.
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
                    Repeat: TIDEMARK_SEED=\(seed) swift test --package-path Command --filter '\(filter)'
                    """
            )
        }
    }

    /// The name of the test, with a dot for characters that are special in a regular expression.
    private var filter: String {
        test.split { !$0.isLetter && !$0.isNumber }.joined(separator: ".")
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

    /// The maximum number of samples to test while one is shrunk.
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

/// The error of a property that does not hold.
package struct Falsified: Error, CustomStringConvertible {
    package let description: String
}

/// The error of a single sample for which a property does not hold.
package struct Counterexample: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Throws a ``Counterexample`` with the lines that differ if two texts are not equal.
package func same(_ actual: String, _ expected: String, _ message: String) throws {
    guard actual != expected else { return }
    let expectedLines = expected.split(separator: "\n")
    let actualLines = actual.split(separator: "\n")
    let known = Set(expectedLines)
    let found = Set(actualLines)
    let lines =
        expectedLines.filter { !found.contains($0) }.map { "  expected \($0)" }
        + actualLines.filter { !known.contains($0) }.map { "  but was  \($0)" }
    throw Counterexample("\(message)\n\(lines.joined(separator: "\n"))")
}
