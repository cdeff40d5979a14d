import Testing

/// What is written speaks of the project, to anybody, and is finished.
struct WordTests {
    @Test(arguments: Rule.words) func `judges its own examples`(rule: Rule) {
        #expect(rule.misjudged.isEmpty)
    }

    @Test(arguments: Rule.words) func `holds in all files`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let words = [
        lines(
            "Nothing is left to do",
            in: .all,
            view: .comments,
            broken: ["// TODO: more", "/// FIXME", "/* XXX */"],
            kept: ["// Nothing to do.", "let pattern = \"XXX\"", "let todo = 1"]
        ) { line in
            unfinished.first { Words.has($0, in: line) }.map { "\($0): do it, or leave it out." }
        },
        lines(
            "No path of a single machine is named",
            in: .all,
            view: .everything,
            broken: machinePaths.map { "// see \($0)a" },
            kept: ["// see ../shared/a", "let path = \"/tmp/a\"", "// network/a"]
        ) { line in
            machinePaths.first { path in
                line.split { " \"'`(=:".contains($0) }.contains { $0.hasPrefix(path) }
            }.map { "\($0) is a path of somebody's machine." }
        },
        lines(
            "Nothing tells how the work was organized",
            in: .all,
            view: .comments,
            broken: ["// a later Stage 3", "// see issue #12", "// issue 7"],
            kept: ["// a session", "// at this stage", "// User#12 has issues"]
        ) { line in
            numbered(line).map { "“\($0)” speaks of the work." }
        },
    ]

    private static let unfinished = ["TODO", "FIXME", "XXX"]

    /// Put together here, so that this file does not hold them.
    private static let machinePaths = ["work", "root", "tmp/bash_jobs"].map { "/\($0)/" }

    /// A stage or an issue with its number.
    private static func numbered(_ line: String) -> String? {
        let words = line.lowercased().split { !$0.isLetter && !$0.isNumber }
        let pair = zip(words, words.dropFirst()).first { word, number in
            ["stage", "stages", "issue", "issues"].contains(word) && number.allSatisfy(\.isNumber)
        }
        return pair.map { "\($0) \($1)" }
    }
}
