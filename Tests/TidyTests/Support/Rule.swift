import Testing

/// A rule about single files, with texts that break it and texts that keep it.
///
/// A rule is tried on its own texts before it judges the project: one that cannot fail is no rule.
struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The files that the rule is for.
    let scope: FileSet

    /// Swift texts, each of which breaks the rule at its first line.
    let broken: [String]

    /// Swift texts that keep the rule.
    let kept: [String]

    /// Where the texts are taken to stand.
    let path: String

    private let judge: @Sendable (SourceFile) -> [Finding]

    init(
        _ name: String,
        in scope: FileSet = .sources,
        broken: [String],
        kept: [String],
        path: String = "Sources/TidemarkStore/Store.swift",
        judge: @escaping @Sendable (SourceFile) -> [Finding]
    ) {
        testDescription = name
        self.scope = scope
        self.broken = broken
        self.kept = kept
        self.path = path
        self.judge = judge
    }

    /// What of a line a rule looks at.
    enum View: Sendable {
        case code
        case comments
        case everything
    }

    /// A rule about single lines: `message` says what is wrong with one, if anything is.
    static func lines(
        _ name: String,
        in scope: FileSet = .sources,
        view: View = .code,
        broken: [String],
        kept: [String],
        message: @escaping @Sendable (String) -> String?
    ) -> Rule {
        Rule(name, in: scope, broken: broken, kept: kept) { file in
            file.lines(view).enumerated().compactMap { number, line in
                message(line).map { file.finding(number, $0) }
            }
        }
    }

    /// What breaks the rule in the project.
    var findings: [Finding] { scope.files.flatMap(judge) }

    /// The texts that the rule judges wrongly.
    var misjudged: [String] {
        broken.filter { judge(sample($0)).first?.line != 1 }
            + kept.filter { !judge(sample($0)).isEmpty }
    }

    private func sample(_ text: String) -> SourceFile {
        SourceFile(path: path, text: text)
    }
}

extension SourceFile {
    fileprivate func lines(_ view: Rule.View) -> [String] {
        switch view {
        case .code: code
        case .comments: comments
        case .everything: lines
        }
    }
}
