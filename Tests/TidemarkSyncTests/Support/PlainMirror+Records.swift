import GRDB
import TidemarkImport
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

extension PlainMirror {
    /// The recorded conflicts, a line for each property with its base, local, remote and kept
    /// version.
    func recordedConflicts() throws -> [String] {
        try store.read { reader in
            try Conflicts(store).list(reader.db).flatMap { conflict in
                conflict.properties.map { property in
                    let versions = [property.base, property.local, property.remote, property.kept]
                    let decision = conflict.decision?.rawValue ?? "open"
                    return "\(conflict.row) \(conflict.kind) \(property.name): "
                        + versions.map(Self.text).joined(separator: ", ") + " (\(decision))"
                }
            }
        }
    }

    private static func text(_ version: Conflict.Version) -> String {
        switch version {
        case .value(let value): value.requestText
        case .row(let row): row?.description ?? "–"
        case .rows(let rows): "[\(rows.map(\.description).joined(separator: " "))]"
        case .objects(let json): json
        }
    }

    /// The numbers of rows whose changes are unconfirmed, by entity.
    func unconfirmed() throws -> [String: Int] {
        try store.read { reader in
            try AcknowledgedChanges(reader.db, store.layout).unconfirmedCounts()
        }
    }

    /// Pulls, and returns the report.
    func read() async throws -> SyncReport { try await engine().pull() }

    /// Executes SQL as another program does.
    func edit(_ sql: String) async throws {
        try await store.writer.write { db in try db.execute(sql: sql) }
    }
}
