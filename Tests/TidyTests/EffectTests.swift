import Testing

@testable import Tidy

/// Rules about traps, side effects and availability in the sources.
struct EffectTests {
    @Test(arguments: Rule.effects) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.effects) func `holds in all sources`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let effects = [
        call(
            "Sources do not trap on invalid input",
            of: ["try!", "as!", "fatalError"],
            broken: ["let a = try! b()", "let a = b as! C", "fatalError(\"\")"],
            kept: ["let a = try? b()", "// as! a comment", "let a = \"try! it\"", "a as? B"]
        ),
        call(
            "Time, randomness and sleeping are accessed only through SystemEnvironment",
            of: [
                "Date()", "UUID()", "Task.sleep", "ContinuousClock", "SystemRandomNumberGenerator",
            ],
            broken: ["let now = Date()", "UUID().uuidString", "try await Task.sleep(for: a)"],
            kept: ["let now = environment.now()", "Date(timeIntervalSince1970: 0)", "myUUID()"],
            in: .sources.except("Sources/TidemarkSync/SystemEnvironment+Live.swift")
        ),
        call(
            "The state folder and the identity of files come from SystemEnvironment",
            of: ["applicationSupportDirectory", "StateFolder.live", "InodeIdentity(of:"],
            broken: ["let folder = StateFolder.live", "let file = InodeIdentity(of: path)"],
            kept: ["environment.stateFolder", "environment.fileIdentity(path)"],
            in: .sources.except(
                "Sources/TidemarkSync/StateFolder+Live.swift",
                "Sources/TidemarkSync/SystemEnvironment+Live.swift"
            )
        ),
        call(
            "Sources use no API that is newer than the oldest supported system",
            of: ["import Synchronization", "Mutex", "Int128", "UInt128", "String(validating:"],
            broken: ["import Synchronization", "let a = Mutex(0)", "let a: UInt128 = 1"],
            kept: ["let a = Locked(0)", "// a Mutex", "String(validatingUTF8: a)"]
        ),
        printing,
    ]

    private static func call(
        _ name: String,
        of calls: [String],
        broken: [String],
        kept: [String],
        in scope: FileSet = .sources
    ) -> Rule {
        lines(
            name,
            in: scope,
            broken: broken,
            kept: kept
        ) { line in
            calls.first { Words.has($0, in: line) }.map { "\($0) must not be used in sources." }
        }
    }

    /// A rule that skips files which declare a `print` of their own.
    private static let printing = Rule(
        "Only the console writes to standard output",
        broken: ["print(a)", "debugPrint(a)", "let a = b.map { print($0) }"],
        kept: ["a.print(b)", "// print(a)", "func print(_ a: A) {}\nprint(a)"]
    ) { file in
        guard !file.code.contains(where: { $0.contains("func print(") }) else { return [] }
        return file.code.enumerated().compactMap { number, line in
            ["print(", "debugPrint("].contains { Words.has($0, in: line) }
                ? file.finding(number, "Print through the command's console.") : nil
        }
    }
}
