import Foundation
import GRDB
import Testing

/// Verbs that only read a store.
struct ReadOnlyVerbTests {
    private static let verbs = [
        ["query", "User"], ["count", "User"], ["get", "User:1"], ["dump"], ["export", "User"],
        ["status"], ["model", "show"],
    ]

    /// The contents and the modification date of a file.
    private struct State: Equatable {
        let contents: Data
        let modified: Date?

        init(_ file: URL) throws {
            contents = try Data(contentsOf: file)
            modified = try file.resourceValues(forKeys: [.contentModificationDateKey])
                .contentModificationDate
        }
    }

    /// Returns the state of all files in a folder, by name.
    private func state(_ folder: Folder) throws -> [String: State] {
        try folder.names().reduce(into: [:]) { states, name in
            // A URL caches its resource values, so each reading needs a new one.
            states[name] = try State(URL(filePath: folder.path(name)))
        }
    }

    @Test func `a verb that reads changes no file`() async throws {
        let folder = try await Sample.filled()
        let before = try state(folder)
        #expect(before.keys.sorted() == ["model.yml", "s.db", "users.json"])
        for verb in Self.verbs {
            let outcome = try await folder.run(verb + ["--store", "s.db"])
            #expect(outcome.status == 0, "\(verb): \(outcome)")
            #expect(try state(folder) == before, "\(verb)")
        }
    }

    @Test func `a verb that reads succeeds while another process writes`() async throws {
        let folder = try await Sample.filled()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let writer = try DatabaseQueue(path: folder.path("s.db"), configuration: configuration)
        try await writer.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; UPDATE User SET name = 'uncommitted'")
        }
        for verb in Self.verbs {
            let outcome = try await folder.run(verb + ["--store", "s.db"])
            #expect(outcome.status == 0, "\(verb): \(outcome)")
            #expect(!outcome.stdout.contains("uncommitted"), "\(verb)")
        }
        try await writer.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }
}
