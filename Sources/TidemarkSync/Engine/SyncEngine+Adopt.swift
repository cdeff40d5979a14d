import GRDB
import TidemarkImport
public import TidemarkModel
import TidemarkRemote
public import TidemarkStore

extension SyncEngine {
    /// Makes an object of the service the object of a row that was created here.
    ///
    /// Call this method when a user has recognized the object: if the response to the creation was
    /// lost, and the service has stored the object in another form, the change stays
    /// `LocalChange.State.uncertain`, and its reason names objects that resemble it. The row
    /// keeps its number, and gets the key. If a pull has inserted a row for the object since, the
    /// links to that lead to the kept row, and the other one is deleted.
    ///
    /// ```swift
    /// let note = try RecordLocator("Note#3")
    /// if let left = try await engine.adopt(note, key: 12) {
    ///     print(left.properties)    // what was edited since, and is sent by the next push
    /// }
    /// ```
    ///
    /// If the creation was sent, the row gets the values of the object, except for those that were
    /// edited after it. If it was not, or was rejected, the policies of the importer decide about
    /// values that differ, and what was overruled is in the record of a conflict
    /// (`Conflict.Kind.duplicateCreate`).
    ///
    /// The object is read by its key, or found in the list if the service cannot read single
    /// objects. The call waits for the end of a running pull or push.
    ///
    /// - Parameters:
    ///   - row: The row, by its number.
    ///   - key: The primary key of the object.
    /// - Returns: The update of the object that is left, to be pushed, or in conflict if a policy
    ///   leaves the decision to a user; nil if nothing differs.
    /// - Throws: ``SyncError/Code/notAdoptable``; ``SyncError/Code/noSuchObject``;
    ///   `StoreError.Code.rowNotFound` if the row has no local change; `RemoteError` if the object
    ///   cannot be read; errors that ``push(with:)`` throws. Nothing has changed then.
    @discardableResult
    public func adopt(_ row: RecordLocator, key: RecordKey) async throws -> LocalChange? {
        try await adopt(row, keyText: key.text)
    }

    /// Makes an object the object of a row, by its key as text.
    package func adopt(_ row: RecordLocator, keyText key: String) async throws -> LocalChange? {
        _ = try await report(of: .adopt(Adoption(row: row, key: key)))
        let store = importer.store
        return try await store.writer.read { db in
            try Outbox(store).changes(db, ofRow: row).last
        }
    }

    func adopt(_ adoption: Adoption, in run: RunContext) async throws -> SyncReport {
        let push = try await outboxPush(with: PushOptions(), in: run)
        var report = SyncReport()
        report.pushed = try await push.adopt(adoption)
        return report
    }
}
