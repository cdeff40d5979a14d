import Foundation

/// README.md or a page of `docs`: its code blocks and tables, which the tests of documents run and
/// compare.
struct DocumentPage {
    /// The path in the package, such as `docs/store.md`.
    let path: String

    /// The whole text.
    let text: String

    /// The fenced code blocks, in their order.
    let blocks: [Block]

    /// A fenced code block.
    struct Block {
        /// What its opening fence names, such as `console` or `yaml`; empty for none.
        let language: String

        /// The lines between the fences.
        let lines: [String]

        /// The number of its first line in the page.
        let line: Int

        /// The lines as one text.
        var text: String { lines.map { "\($0)\n" }.joined() }
    }

    /// README.md and the pages of `docs`, by path.
    static func paths() throws -> [String] {
        let docs = Tidemark.package.appending(path: "docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: docs.path)
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// Reads a page by its path in the package.
    init(_ path: String) throws {
        let file = Tidemark.package.appending(path: path)
        self.path = path
        text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        var blocks: [Block] = []
        var open: (language: String, lines: [String], line: Int)?
        for (index, line) in Self.lines(text).enumerated() {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(
                    Block(language: block.language, lines: block.lines, line: block.line)
                )
                open = nil
            } else {
                open = (String(line.dropFirst(3)), [], index + 2)
            }
        }
        self.blocks = blocks
    }

    /// The blocks of a language.
    func blocks(in language: String) -> [Block] {
        blocks.filter { $0.language == language }
    }

    /// What links to the headings of the page end with, as GitHub makes it of a heading.
    var anchors: Set<String> {
        Set(
            Self.lines(text).filter { $0.hasPrefix("#") }.map { heading in
                let title = heading.drop { $0 == "#" }.dropFirst().lowercased()
                return title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            }
        )
    }

    /// The tables below a heading, up to the next heading of the same level or a higher one: their
    /// rows, cell by cell, of which the first has the names of the columns.
    func tables(below heading: String) -> [[[String]]] {
        let level = heading.prefix { $0 == "#" }.count
        let lines = Self.lines(text).drop { $0 != heading }.dropFirst().prefix { line in
            let other = line.prefix { $0 == "#" }.count
            return other == 0 || other > level
        }
        var tables: [[[String]]] = []
        var isInTable = false
        for line in lines {
            if line.hasPrefix("|--") { continue }
            if line.hasPrefix("|") {
                if !isInTable { tables.append([]) }
                tables[tables.count - 1].append(Self.cells(line))
            }
            isInTable = line.hasPrefix("|")
        }
        return tables
    }

    /// The rows of the tables below a heading, without those of column names.
    func rows(below heading: String) -> [[String]] {
        tables(below: heading).flatMap { $0.dropFirst() }
    }

    /// The rows of the table below a heading whose first columns have these names.
    func rows(below heading: String, columns: String...) -> [[String]] {
        let table = tables(below: heading).first { $0[0].starts(with: columns) } ?? []
        return Array(table.dropFirst())
    }

    /// The cells of a table's row; `\|` is a bar within a cell.
    private static func cells(_ row: String) -> [String] {
        let bar = "\u{1}"
        return row.replacing("\\|", with: bar)
            .split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { $0.replacing(bar, with: "|").trimmingCharacters(in: .whitespaces) }
    }

    /// What is marked as code in a cell: `` `a`, `b` `` has `a` and `b`.
    static func code(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
