import Testing

@testable import Tidy

/// Rules about the wording of comments, strings and documents.
struct WordTests {
    @Test(arguments: Rule.words) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.words) func `holds in all files`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let words = [
        lines(
            "No comment marks unfinished work",
            in: .all,
            view: .comments,
            broken: ["// TODO: more", "/// FIXME", "/* XXX */"],
            kept: ["// Nothing to do.", "let pattern = \"XXX\"", "let todo = 1"]
        ) { line in
            unfinished.first { Words.has($0, in: line) }.map { "\($0) marks unfinished work." }
        },
        lines(
            "No file contains a path of a particular machine",
            in: .all,
            view: .everything,
            broken: machinePaths.map { "// see \($0)a" },
            kept: ["// see ../shared/a", "let path = \"/tmp/a\"", "// network/a"]
        ) { line in
            machinePaths.first { path in
                line.contains(path)
                    && line.split { " \"'`(=:".contains($0) }.contains { $0.hasPrefix(path) }
            }.map { "\($0) is a path of a particular machine." }
        },
        lines(
            "Comments do not refer to stages or issues by number",
            in: .all,
            view: .comments,
            broken: ["// a later Stage 3", "// see issue #12", "// issue 7"],
            kept: ["// a session", "// at this stage", "// User#12 has issues"]
        ) { line in
            numbered(line).map { "“\($0)” refers to the organization of the work." }
        },
        lines(
            "Prose uses the terms of the field: see docs/glossary.md",
            in: .all.except("Tests/TidyTests/WordTests.swift", "Tests/Tidy/Dialect.swift"),
            view: .prose,
            broken: [
                "/// Stands behind the page.", "// It is told anew.",
                #"let text = "Nobody knows.""#,
                "@Test func `a pull that goes on`() {}", "// What is mended", "// a rehearsal",
                #"let text = "The value is no key.""#, "/// Items that are no objects.",
            ],
            kept: [
                "let told = 1", "/// Understands it.", "// as it wasn't", "func goesOn() {}",
                "// recommended",
                "// There is no key.", #"let text = "the row is no longer listed""#,
            ]
        ) { line in
            Dialect.words(in: line).first.map { "“\($0)” is not a term of the field." }
        },
    ]

    private static let unfinished = ["TODO", "FIXME", "XXX"]

    /// Composed at run time, so that this file does not contain the paths itself.
    private static let machinePaths = ["work", "root", "tmp/bash_jobs"].map { "/\($0)/" }

    /// Returns the stage or issue that a line refers to by number; nil without such a reference.
    private static func numbered(_ line: String) -> String? {
        let line = line.lowercased()
        guard line.contains("stage") || line.contains("issue") else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber }
        let pair = zip(words, words.dropFirst()).first { word, number in
            ["stage", "stages", "issue", "issues"].contains(word) && number.allSatisfy(\.isNumber)
        }
        return pair.map { "\($0) \($1)" }
    }
}
