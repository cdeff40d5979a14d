import TidemarkModel

/// Rows of text in aligned columns.
struct TextTable: CustomStringConvertible {
    private let header: [String]
    private var rows: [[String]] = []

    /// The maximum number of characters of a cell.
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
        let numeric = header.indices.map(isNumeric)
        return ([header, rule] + rows).map { line($0, widths: widths, numeric: numeric) }.joined(
            separator: "\n"
        )
    }

    /// Returns one line.
    ///
    /// Numeric columns are right-aligned.
    private func line(_ cells: [String], widths: [Int], numeric: [Bool]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - cell.count)
            text += (column > 0 ? "  " : "") + (numeric[column] ? padding + cell : cell + padding)
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Returns whether all non-empty cells of a column are numbers.
    private func isNumeric(_ column: Int) -> Bool {
        let cells = rows.lazy.map { $0[column] }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy { Double($0) != nil }
    }
}
