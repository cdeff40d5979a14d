import Testing

@testable import Tidy

/// A rule about a number that is measured over many files.
///
/// As those of a ``Rule``, its examples show that it can fail.
struct Quota: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The files that are measured.
    let scope: FileSet

    let limit: Limit

    /// Swift texts beyond the limit.
    let broken: [String]

    /// Swift texts within the limit.
    let kept: [String]

    private let measure: @Sendable ([SourceFile]) -> Measured

    /// A number, and where to look for what it counts.
    struct Measured {
        let value: Double
        let findings: [Finding]
    }

    init(
        _ name: String,
        in scope: FileSet = .sources,
        _ limit: Limit,
        broken: [String],
        kept: [String],
        measure: @escaping @Sendable ([SourceFile]) -> Measured
    ) {
        testDescription = name
        self.scope = scope
        self.limit = limit
        self.broken = broken
        self.kept = kept
        self.measure = measure
    }

    /// Creates a quota of declarations; `select` returns those of a file that count.
    static func count(
        _ name: String,
        in scope: FileSet = .sources,
        _ limit: Limit,
        broken: [String],
        kept: [String],
        select: @escaping @Sendable (SourceFile) -> [Declaration]
    ) -> Quota {
        Quota(name, in: scope, limit, broken: broken, kept: kept) { files in
            let findings = files.flatMap { file in
                select(file).map { file.finding($0.line, $0.name) }
            }
            return Measured(value: Double(findings.count), findings: findings)
        }
    }

    /// The violation of the limit by the project; nil without one.
    var violation: String? {
        let measured = measure(scope.files)
        return limit.allows(measured.value)
            ? nil : "\(measured.value); the limit is \(limit.bound).\n\(measured.findings.listed)"
    }

    /// The examples for which the quota has the wrong result.
    var misjudged: [String] {
        broken.filter(isAllowed) + kept.filter { !isAllowed($0) }
    }

    private func isAllowed(_ text: String) -> Bool {
        let sample = SourceFile(path: "Sources/TidemarkStore/Store.swift", text: text)
        return limit.allows(measure([sample]).value)
    }
}
