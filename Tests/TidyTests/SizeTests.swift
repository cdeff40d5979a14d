import Testing

@testable import Tidy

/// Limits on the size of files, functions and lines.
struct SizeTests {
    @Test(arguments: Rule.sizes) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.sizes) func `holds in all Swift files`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }

    @Test func `a function is measured from its keyword to its closing brace`() {
        let file = SourceFile(
            path: "Sources/A/A.swift",
            text: """
                protocol A { func a(); func b() -> [Int] }
                struct B {
                    init(_ a: () -> Void = {}) { a() }
                    func c(
                        _ text: String = "{"
                    ) {
                        // }
                        let d = { 1 }
                    }
                    let e = B.init { }
                    subscript(f: Int) -> Int {
                        f
                    }
                }
                """
        )
        let found = file.outline.bodies.map { [$0.line + 1, $0.lineCount] }
        #expect(found == [[3, 1], [4, 6], [11, 3]])
    }
}

extension Rule {
    fileprivate static let sizes = [
        Rule(
            "A file has at most 400 lines, or 500 if more than half are documentation",
            in: .swift,
            broken: [text(lines: 401), text(lines: 501, documented: 300)],
            kept: [text(lines: 400), text(lines: 500, documented: 251)]
        ) { file in
            let documentation = file.lines.count { $0.drop { $0 == " " }.hasPrefix("///") }
            let limit = documentation * 2 > file.lines.count ? 500 : 400
            return file.lines.count > limit
                ? [file.finding(0, "\(file.lines.count) lines; the limit is \(limit).")] : []
        },
        Rule(
            "A preset has at most 150 lines",
            in: FileSet("Sources/TidemarkRemote/Services/"),
            broken: [text(lines: 151)],
            kept: [text(lines: 150)]
        ) { file in
            file.lines.count > 150 ? [file.finding(0, "\(file.lines.count) lines.")] : []
        },
        Rule(
            "A function has at most 70 lines",
            in: .swift,
            broken: ["func a() {\n\(text(lines: 69))\n}", "init() {\n\(text(lines: 69))\n}"],
            kept: ["func a() {\n\(text(lines: 68))\n}"]
        ) { file in
            file.outline.bodies.filter { $0.lineCount > 70 }
                .map { file.finding($0.line, "The function has \($0.lineCount) lines.") }
        },
        Rule(
            "A line has at most 100 columns, except for literals and URLs",
            in: .swift,
            broken: ["// \(wide(98))", "let \(wide(97))"],
            kept: ["// \(wide(97))", "let a = \"\(wide(200))\"", "// https://a.b/\(wide(200))"]
        ) { file in
            file.columns.enumerated().compactMap { number, columns in
                columns > 100 && !file.lines[number].contains("://")
                    ? file.finding(number, "\(columns) columns.") : nil
            }
        },
    ]

    private static func text(lines count: Int, documented: Int = 0) -> String {
        let documentation = Array(repeating: "/// a", count: documented)
        return (documentation + Array(repeating: "a", count: count - documented))
            .joined(separator: "\n")
    }

    private static func wide(_ columns: Int) -> String {
        String(repeating: "é", count: columns)
    }
}
