import Foundation

/// README.md, a page of `docs` or a guide: its code blocks and tables, which the tests of documents
/// run and compare.
struct DocumentPage {
    /// The path in the package, such as `docs/store.md`.
    let path: String

    /// The whole text.
    let text: String

    /// The fenced code blocks, in order.
    let blocks: [Block]

    /// A fenced code block.
    struct Block {
        /// The language that the opening fence names, such as `console` or `yaml`; empty for none.
        let language: String

        /// The lines between the fences.
        let lines: [String]

        /// The line number of its first line in the page.
        let line: Int

        /// The lines, joined into one text.
        var text: String { lines.map { "\($0)\n" }.joined() }
    }

    /// Returns the paths of README.md and of the pages of `docs`.
    static func paths() throws -> [String] {
        let docs = Tidemark.package.appending(path: "docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: docs.path)
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// Returns the paths of the guides, whose links and names DocC checks.
    static func guides() throws -> [String] {
        let path = "Sources/Tidemark/Documentation.docc/Guides"
        let folder = Tidemark.package.appending(path: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.sorted().map { "\(path)/\($0)" }
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

    /// Returns the blocks in a language.
    func blocks(in language: String) -> [Block] {
        blocks.filter { $0.language == language }
    }

    /// The anchors of the headings of the page, as GitHub derives them.
    var anchors: Set<String> {
        Set(
            Self.lines(text).filter { $0.hasPrefix("#") }.map { heading in
                let title = heading.drop { $0 == "#" }.dropFirst().lowercased()
                return title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            }
        )
    }

    /// Returns the tables below a heading, up to the next heading of the same level or a higher
    /// one.
    ///
    /// A table is an array of rows, and a row an array of cells. The first row contains the names
    /// of the columns.
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

    /// Returns the rows of the tables below a heading, without those of column names.
    func rows(below heading: String) -> [[String]] {
        tables(below: heading).flatMap { $0.dropFirst() }
    }

    /// Returns the rows of the table below a heading whose first columns have the given names.
    func rows(below heading: String, columns: String...) -> [[String]] {
        let table = tables(below: heading).first { $0[0].starts(with: columns) } ?? []
        return Array(table.dropFirst())
    }

    /// Returns the cells of a table row, in which `\|` is a literal bar.
    private static func cells(_ row: String) -> [String] {
        let bar = "\u{1}"
        return row.replacing("\\|", with: bar)
            .split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { $0.replacing(bar, with: "|").trimmingCharacters(in: .whitespaces) }
    }

    /// Returns the code spans in a cell: `a` and `b` for `` `a`, `b` ``.
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
