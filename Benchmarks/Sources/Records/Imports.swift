import Foundation
import TidemarkImport
import TidemarkSync

/// Writes a document of users.
func writeDocument(_ path: String, rows: Int) throws {
    let objects = (1...rows).map { number in
        """
        {"id": \(number), "name": "User \(number % 977) \(number)", \
        "email": "user\(number)@example.com", "age": \(number % 80), \
        "score": \(Double(number % 1_000) / 8), "is_active": \(number % 3 != 0), \
        "born_at": "2016-05-17T10:20:30Z", "city": "City \(number % 97)"}
        """
    }
    try Data("[\(objects.joined(separator: ",\n"))]".utf8).write(to: URL(fileURLWithPath: path))
}

/// Imports a document into a store with one user: alone, beside a live result of all users, or
/// after one has ended.
func measureImport(
    _ kind: String,
    _ path: String,
    _ document: String
) async throws -> [String: Double] {
    let store = try newStore(path)
    try await store.insert(Company(name: "Company 1"))
    var reader: Task<Void, any Error>?
    if kind == "alone" {
        // As beside a list: an import into an empty table looks for no rows.
        try await store.insert(User(number: 0))
    } else {
        let (snapshots, continuation) = AsyncStream.makeStream(of: Void.self)
        reader = Task {
            for try await _ in store.live(User.sorted(by: \.name)) { continuation.yield() }
        }
        var shown = snapshots.makeAsyncIterator()
        await shown.next()
        // The list is active once it shows a change.
        try await store.insert(User(number: 0))
        await shown.next()
        if kind == "after" {
            reader?.cancel()
            try await reader?.value
        }
    }
    let start = ContinuousClock.now
    try await Importer(store).import(
        URL(fileURLWithPath: document),
        into: User.entityName,
        options: ImportOptions(operations: .upsert)
    )
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    reader?.cancel()
    return ["seconds": seconds]
}
