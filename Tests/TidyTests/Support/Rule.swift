import Testing

@testable import Tidy

/// A rule about single files, with examples of texts that violate it and texts that comply with it.
///
/// Each rule is also tested on its examples, because a rule that can never fail would go unnoticed.
struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The files that the rule applies to.
    let scope: FileSet

    /// Swift texts that violate the rule in their first line.
    let broken: [String]

    /// Swift texts that comply with the rule.
    let kept: [String]

    /// The path of the examples, for rules that depend on it.
    let path: String

    private let check: @Sendable (SourceFile) -> [Finding]

    init(
        _ name: String,
        in scope: FileSet = .sources,
        broken: [String],
        kept: [String],
        path: String = "Sources/TidemarkStore/Store.swift",
        check: @escaping @Sendable (SourceFile) -> [Finding]
    ) {
        testDescription = name
        self.scope = scope
        self.broken = broken
        self.kept = kept
        self.path = path
        self.check = check
    }

    /// The part of a line that a rule examines.
    enum View: Sendable {
        case code
        case comments
        case prose
        case everything
    }

    /// Creates a rule about single lines; `message` returns the violation of a line, if any.
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

    /// The violations of the rule in the project.
    var findings: [Finding] { scope.files.flatMap(check) }

    /// The examples for which the rule has the wrong result.
    var misclassified: [String] {
        broken.filter { check(sample($0)).first?.line != 1 }
            + kept.filter { !check(sample($0)).isEmpty }
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
        case .prose: prose
        case .everything: lines
        }
    }
}
