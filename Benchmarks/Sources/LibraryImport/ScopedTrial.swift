import Foundation
import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Repeated imports of the hundred notes of one user into a store with many others.
struct ScopedTrial {
    private let store: Store
    private static let rounds = 50

    init(_ path: String) throws {
        store = try Store.open(at: path)
    }

    func run() throws -> [String: Double] {
        let importer = Importer(store)
        let parent = try RecordLocator("User:1")
        var changing: [Double] = []
        var idle: [Double] = []
        for round in 0..<Self.rounds {
            let document = try JSONDocument(notes("Text of round \(round)"))
            for isRepeated in [false, true] {
                var items = try document.items()
                let stopwatch = Stopwatch()
                let report = try importer.import(&items, into: "Note", scope: .children(of: parent))
                isRepeated ? idle.append(stopwatch.seconds) : changing.append(stopwatch.seconds)
                guard report.isUnchanged == isRepeated else { throw Failure(round: round) }
            }
        }
        return [
            "rows": Double(try store.read { try $0.count("Note") }),
            "changedMedian": changing.percentile(0.5),
            "changedP99": changing.percentile(0.99),
            "unchangedMedian": idle.percentile(0.5),
            "unchangedP99": idle.percentile(0.99),
        ]
    }

    private func notes(_ text: String) -> [UInt8] {
        let notes = (0..<100).map { number in
            """
            {"id":\(9_000_000_000 + number),"text":"\(text), note \(number)",\
            "created_at":"2024-05-01T10:00:00.000Z","updated_at":"2024-05-01T11:00:00.000Z"}
            """
        }
        return Array("[\(notes.joined(separator: ","))]".utf8)
    }

    private struct Failure: Error {
        let round: Int
    }
}
