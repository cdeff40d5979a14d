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
        let writable = resources.filter { !$0.push.isReadOnly }
        guard !writable.isEmpty else { return nil }
        layout = store.layout
        let named = Set(writable.filter { $0.push.key == .client }.map(\.entity))
        let model = store.model
        let keyed = model.entities.filter { entity in
            model.lineage(of: entity).contains { named.contains($0.name) }
        }
        clientKeys = Set(keyed.map(\.name))
        configuredSides = writable.reduce(into: []) { $0.formUnion($1.push.body.links) }
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
    private func chooseSides(_ db: Database) throws {
        let names = try ObservedNames.read(db)
        let sides = try layout.linkSides(
            where: { isSeen($0, in: names) },
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

    /// Returns whether objects of the service had the links of a relationship.
    ///
    /// Whole objects in the list of a parent do not show that it keeps links: they may have the
    /// reference themselves.
    private func isSeen(
        _ relationship: RelationshipLayout,
        in names: [String: ObservedNames]
    ) -> Bool {
        let isChildList = if case .inverse = relationship.storage { true } else { false }
        let identifier = relationship.identifier
        return layout.entities.contains { entity in
            guard entity.relationships.contains(where: { $0.identifier == identifier }),
                let observed = names[entity.name], let mapping = importer.mapping(of: entity.name)
            else { return false }
            let known = isChildList ? observed.all.subtracting(observed.embedded) : observed.all
            return known.contains { name in
                mapping.target(for: name)?.relationship.map {
                    mapping.relationships[$0].relationship.name == relationship.relationship.name
                } ?? false
            }
        }
    }
}
