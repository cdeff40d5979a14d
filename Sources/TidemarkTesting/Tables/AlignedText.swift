/// Lines of text in aligned columns.
struct AlignedText {
    private let header: [String]
    private var lines: [[String]] = []

    init(header: [String]) {
        self.header = header
    }

    mutating func add(_ cells: [String]) {
        lines.append(cells)
    }

    func text(isSorted: Bool) -> String {
        let all = [header] + lines
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let texts = lines.map { line($0, widths: widths) }
        return ([line(header, widths: widths)] + (isSorted ? texts.sorted() : texts))
            .joined(separator: "\n")
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var text = ""
        for (cell, width) in zip(cells, widths) {
            text += cell + String(repeating: " ", count: width - cell.count + 2)
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
