import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// What an engine installs in a store whose changes it sends: the capture of local changes, and the
/// table of their requests.
struct CaptureInstallation: Sendable {
    private let layout: StoreLayout

    /// The entities whose keys this client chooses.
    private let clientKeys: Set<String>

    /// Creates an installation; nil if no list accepts changes.
    init?(for resources: [RemoteResource], in store: Store) {
        let writable = resources.filter { !$0.push.isReadOnly }
        guard !writable.isEmpty else { return nil }
        layout = store.layout
        let named = Set(writable.filter { $0.push.key == .client }.map(\.entity))
        let model = store.model
        let keyed = model.entities.filter { entity in
            model.lineage(of: entity).contains { named.contains($0.name) }
        }
        clientKeys = Set(keyed.map(\.name))
    }

    /// Installs what the store does not have yet.
    ///
    /// - Parameter db: A connection, inside a write transaction.
    /// - Throws: `StoreError` if a table with one of the names was not created by Tidemark;
    ///   `DatabaseError`.
    func install(_ db: Database) throws {
        try Capture.install(db, layout)
        try Capture.recordClientKeys(db, of: clientKeys)
        try SyncTables.createOutbox(db)
    }
}
