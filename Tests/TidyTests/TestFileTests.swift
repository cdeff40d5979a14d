import Testing

@testable import Tidy

/// Rules about tests, which have to be able to fail.
struct TestFileTests {
    @Test(arguments: Rule.tests) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.tests) func `holds in all tests`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let tests = [
        Rule(
            "A file with tests has an expectation",
            in: .tests,
            broken: ["@Test func a() { b() }", "@Test(arguments: a) func `b`() {}"],
            kept: ["@Test func a() { #expect(b) }", "@Test func a() { A.check(b) }", "// @Test"]
        ) { file in
            let first = file.code.firstIndex { $0.contains("@Test") }
            let expects = file.code.contains { line in
                ["#expect", "#require", ".check(", " expect(", ").holds", "}.holds"].contains {
                    line.contains($0)
                }
            }
            guard let first, !expects else { return [] }
            return [file.finding(first, "No test in this file can fail.")]
        },
        Rule(
            "A file whose name ends with Tests contains a test",
            in: .tests,
            broken: ["struct StoreTests {}"],
            kept: ["struct StoreTests { @Test func a() {} }"],
            path: "Tests/TidemarkStoreTests/StoreTests.swift"
        ) { file in
            let isEmpty =
                file.name.hasSuffix("Tests") && !file.code.contains { $0.contains("@Test") }
            return isEmpty ? [file.finding(0, "There is no test in this file.")] : []
        },
        lines(
            "Tests neither sleep nor expect a constant",
            in: .tests,
            broken: ["sleep(1)", "try await Task.sleep(for: a)", "#expect(true)"],
            kept: ["clock.sleep(1)", "#expect(isTrue)", "// sleep(1)"]
        ) { line in
            ["sleep(", "Task.sleep", "#expect(true)", "#expect(Bool(true))"]
                .first { Words.has($0, in: line) }.map { "\($0) must not be used in tests." }
        },
        lines(
            "A store of a test is validated after every transaction",
            in: FileSet("Tests/", ending: ".swift").except(
                "Tests/TidemarkTestSupport/",
                "Tests/FirstRun/",
                "Tests/GuideTests/",
                "Tests/MainActorTests/",
                "Tests/TidemarkTests/",
                "Tests/TidemarkStoreTests/Open/",
                "Tests/TidemarkStoreTests/Migration/InterruptedMigrationTests.swift",
                "Tests/TidemarkImportTests/Properties/",
                "Tests/TidemarkSyncTests/Support/Mirror.swift"
            ),
            broken: [
                "let a = try Store.inMemory(model: b)", "Store.open(at: c)", "Store.adopt(d)",
            ],
            kept: ["let a = try Store.validated(model: b)", "Store.of(c)", "// Store.open(at: d)"]
        ) { line in
            ["Store.inMemory(", "Store.open(", "Store.adopt("].first { Words.has($0, in: line) }
                .map { "Use Store.validated( instead of \($0)." }
        },
    ]
}
