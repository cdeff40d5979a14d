import Foundation

/// A guide as text.
struct GuidePage {
    private let lines: [Substring]

    /// Reads a guide by its name, such as `Reading`.
    init(_ name: String) throws {
        let file = Self.package
            .appending(path: "Sources/Tidemark/Documentation.docc/Guides/\(name).md")
        let text = try String(contentsOf: file, encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static let package = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the rows of all tables with certain columns, each as its cells.
    func rows(where isIncluded: (_ columns: [String]) -> Bool) -> [[String]] {
        var rows: [[String]] = []
        var isInTable = false
        var isInIncludedTable = false
        for line in lines {
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            if !isInTable {
                isInTable = true
                isInIncludedTable = isIncluded(cells)
            } else if isInIncludedTable, !line.hasPrefix("|--") {
                rows.append(cells)
            }
        }
        return rows
    }

    /// Returns the code spans of a cell.
    static func code(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
