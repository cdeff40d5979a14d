import Foundation

/// The measures of a checkout as text: a line for each target of `Sources`, and one for all.
struct MeasureTable: CustomStringConvertible {
    private let rows: [(target: String, measures: Measures)]

    init(_ project: Project) {
        let sources = project.files.filter {
            $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift")
        }
        let targets = Dictionary(grouping: sources) { $0.target ?? "" }
        rows =
            targets.sorted { $0.key < $1.key }
            .map { (target: $0.key, measures: Measures($0.value)) }
            + [(target: "all", measures: Measures(sources))]
    }

    var description: String {
        let titles = ["target"] + Self.columns.map(\.title)
        let table =
            [titles]
            + rows.map { row in
                [row.target] + Self.columns.map { $0.text(row.measures) }
            }
        let widths = titles.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
        let overfull = rows.dropLast().flatMap { row in
            row.measures.overfull.map {
                "\(row.target): \($0.type) has \($0.count) stored properties"
            }
        }
        return (lines + [""] + overfull).joined(separator: "\n")
    }

    private static let columns: [(title: String, text: @Sendable (Measures) -> String)] = [
        ("code lines", { "\($0.codeLines)" }),
        ("reasons/100", { share($0.reasons, of: $0.codeLines, times: 100) }),
        ("words", { "\($0.words)" }),
        ("functions", { "\($0.functions)" }),
        ("unlabelled", { "\($0.unlabelled)" }),
        ("%", { share($0.unlabelled, of: $0.functions, times: 100) }),
        (">12", { "\($0.overfull.count)" }),
        ("public types", { "\($0.publicTypes)" }),
        ("declarations", { "\($0.publicDeclarations)" }),
        ("lines each", { share($0.documentationLines, of: $0.publicDeclarations, times: 1) }),
        ("examples %", { share($0.examples, of: $0.publicDeclarations, times: 100) }),
        ("pages", { "\($0.pageTypes)" }),
        ("checkpoints", { "\($0.checkpoints)" }),
    ]

    private static func share(_ part: Int, of whole: Int, times factor: Double) -> String {
        whole == 0 ? "-" : String(format: "%.1f", factor * Double(part) / Double(whole))
    }
}
