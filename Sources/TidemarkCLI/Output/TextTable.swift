import TidemarkModel

/// Rows of text in aligned columns.
struct TextTable: CustomStringConvertible {
    private let header: [String]
    private var rows: [[String]] = []

    /// How many characters a cell shows at most.
    private static let cellLimit = 200

    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ row: [String]) {
        rows.append(row.map { $0.singleLine(limit: Self.cellLimit) })
    }

    var description: String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([header, rule] + rows).map { line($0, widths) }.joined(separator: "\n")
    }

    /// A line; columns of numbers stand at the right.
    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - cell.count)
            text += (column > 0 ? "  " : "") + (isNumeric(column) ? padding + cell : cell + padding)
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    private func isNumeric(_ column: Int) -> Bool {
        !rows.isEmpty && rows.allSatisfy { !$0[column].isEmpty && Double($0[column]) != nil }
    }
}
