import Foundation
import Testing

/// The tables of the guides for users of other libraries.
///
/// `calls.json` lists the public calls of each library, in the order of the guide's tables.
struct PredecessorTests {
    private static let calls: [String: [String]] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "calls.json")
        do {
            return try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("\(file.path): \(error)")
        }
    }()

    /// Returns the rows of a guide's tables of calls, each with the call, its counterpart, and the
    /// differences.
    private func rows(of guide: String) throws -> [[String]] {
        try GuidePage(guide).rows { $0.count == 3 && $0[1] == "Tidemark" }
    }

    @Test(arguments: calls.keys.sorted())
    func `the tables list every public call of the library once`(_ guide: String) throws {
        let listed = try rows(of: guide).flatMap { GuidePage.code(in: $0[0]) }
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
}
