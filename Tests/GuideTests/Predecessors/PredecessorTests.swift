import Foundation
import Testing

/// The tables of the guides for users of other libraries.
///
/// `calls.json` lists the public calls of each library, in the order of the guide's tables.
struct PredecessorTests {
    private static let calls: [String: [String]] = {
        let file = folder.appending(path: "calls.json")
        do {
            return try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("\(file.path): \(error)")
        }
    }()

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// Returns the cells of the rows of all tables of a guide whose columns are a library's call,
    /// its counterpart, and the differences.
    private func rows(of guide: String) throws -> [[String]] {
        let path = "../../../Sources/Tidemark/Documentation.docc/Guides/\(guide).md"
        let text = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
        var rows: [[String]] = []
        var isAboutCalls = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                isAboutCalls = false
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.count == 3, cells[1] == "Tidemark" {
                isAboutCalls = true
            } else if isAboutCalls, !line.hasPrefix("|--") {
                rows.append(cells)
            }
        }
        return rows
    }

    @Test(arguments: calls.keys.sorted())
    func `the tables list every public call of the library once`(_ guide: String) throws {
        let listed = try rows(of: guide).flatMap { Self.code(in: $0[0]) }
        #expect(listed == Self.calls[guide])
        #expect(Set(listed).count == listed.count)
    }

    @Test(arguments: calls.keys.sorted())
    func `each call has a counterpart, or the difference is explained`(_ guide: String) throws {
        for cells in try rows(of: guide) {
            let hasCounterpart = cells[1] != "no counterpart" && !cells[1].isEmpty
            #expect(hasCounterpart || !cells[2].isEmpty, "\(cells)")
        }
    }

    /// Returns the code spans of a cell.
    private static func code(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
