import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// What an engine installs in a store whose changes it sends: the capture of local changes, and the
/// table of their requests.
struct CaptureInstallation: Sendable {
    private let layout: StoreLayout

    /// The entities whose keys this client chooses.
    private let clientKeys: Set<String>

    /// The relationships whose links are sent with the rows that have them, by the configuration.
    private let configuredSides: Set<String>

    /// The names of properties in JSON.
    private let importer: Importer

    /// Creates an installation; nil if no list accepts changes.
    init?(for resources: [RemoteResource], by importer: Importer) {
        let store = importer.store
        let writable = resources.writable
        guard !writable.isEmpty else { return nil }
        layout = store.layout
        let named = Set(writable.filter { $0.push.key == .client }.map(\.entity))
        let model = store.model
        let keyed = model.entities.filter { entity in
            model.lineage(of: entity).contains { named.contains($0.name) }
        }
        clientKeys = Set(keyed.map(\.name))
        configuredSides = resources.configuredSides
        self.importer = importer
    }

    /// Installs what the store does not have yet, or not any more.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - date: The time.
    /// - Returns: The edits that may not have been recorded, if that was found out now.
    /// - Throws: `StoreError` if a table with one of the names was not created by Tidemark;
    ///   `DatabaseError`.
    func install(_ db: Database, at date: Date) throws -> UnrecordedEdits? {
        let unrecorded = try Capture.repair(db, layout, at: date)
        try Capture.install(db, layout)
        try Capture.recordClientKeys(db, of: clientKeys)
        try SyncTables.createOutbox(db)
        try chooseSides(db)
        return unrecorded
    }

    /// Chooses with which rows links are sent, by what the service's objects have shown so far.
    ///
    /// - Parameter db: A connection, inside a write transaction, to a store that records changes.
    /// - Throws: `DatabaseError`.
    func chooseSides(_ db: Database) throws {
        let shown = try ShownLinks(db, in: importer)
        let sides = try layout.linkSides(
            where: shown.areKeys,
            configured: configuredSides,
            current: LinkSides.read(db),
            rowCount: { try highestRow(of: $0, db) }
        )
        try Capture.of(db, layout)?.change(to: sides)
    }

    private func highestRow(of table: Int, _ db: Database) throws -> Int {
        let sql = "SELECT coalesce(max(_id), 0) FROM \(layout.name(of: table))"
        return try Int.fetchOne(db, sql: sql) ?? 0
    }
}
