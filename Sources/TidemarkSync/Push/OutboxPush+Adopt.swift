import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// Objects of the service become those of rows that were created here.
extension OutboxPush {
    /// An object that is read, with where it may be.
    private struct ObjectSearch: Sendable {
        let creation: CapturedChange
        let list: RemoteResource

        /// The URL of the object; nil if it cannot be read by its key.
        let url: URL?
        let key: RecordKey
    }

    /// Reads the object that a user has recognized, and merges it into the row.
    ///
    /// - Parameter adoption: The row, and the key of the object.
    /// - Returns: What was done.
    /// - Throws: ``SyncError``, `RemoteError`, `ImportError`, `StoreError`, `DatabaseError`;
    ///   `CancellationError`. Nothing has changed then.
    func adopt(_ adoption: Adoption) async throws -> PushReport {
        let search = try await run.write { [self] db in
            try Capture.of(db, run.store.layout)?.collect()
            return try prepare(adoption, by: builder(db))
        }
        guard let document = try await object(of: search) else {
            throw SyncError(
                .noSuchObject,
                "The service has no object \(search.creation.row.entity):\(search.key.text).",
                hint: "Only an object of the list \(search.list.path) can be adopted."
            )
        }
        let omitsNulls = search.list.style.omitsNulls
        let creation = try await run.merge { [run] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            return try document.withRoot { object in
                try adoption.merge(
                    object,
                    in: run,
                    reading: reader,
                    omittingNulls: omitsNulls
                )
            }
        }
        report.count(.adopted, of: creation)
        run.emit(.adopted(row: creation.row, key: search.key))
        return report
    }

    private nonisolated func prepare(
        _ adoption: Adoption,
        by builder: RequestBuilder
    ) throws -> ObjectSearch {
        let creation = try adoption.creation(builder.reader)
        let entity = try builder.reader.layout.entity(creation.row.entity)
        let key = try adoption.recordKey(in: entity)
        guard let resource = resources.resource(of: entity.name) else {
            throw SyncError(
                .notAdoptable,
                "No list accepts changes of \(entity.name).",
                hint: "Set push of the list that contains its objects."
            )
        }
        var target = try builder.target(of: creation, in: resource)
        target.key = resources.key(key.parts.map(\.requestText), of: entity.name)
        guard let list = target.list else {
            throw SyncError(
                .notAdoptable,
                "The list of \(creation.row) is that of a row which has no key yet.",
                hint: "Push that row first."
            )
        }
        return ObjectSearch(
            creation: creation,
            list: list,
            url: try run.remote.readURL(of: target),
            key: key
        )
    }

    /// Returns an object: by its key, or from the list if that shows nothing; nil if the service
    /// does not have it.
    private func object(of search: ObjectSearch) async throws -> JSONDocument? {
        let list = search.list
        if let url = search.url {
            do {
                let read = try await run.remote.object(at: url, of: list, attempts: .several)
                switch read {
                case .found(let document, at: let envelope, _):
                    let object = try list.withObject(
                        in: document,
                        at: envelope,
                        limits: run.limits
                    ) { try JSONDocument(Array($0.source), limits: run.limits.json) }
                    if let object, let found = try await find(search, among: [object]) {
                        return found
                    }
                case .missing:
                    let isProof = try await run.store.writer.read { db in
                        try ListFacts(db).readsByKey(list.path)
                    }
                    if isProof { return nil }
                }
            } catch  where ReadConsequence(error) == .next {
                // Such as 405: this list does not show single objects.
            }
        }
        var next: PageRequest? = PageRequest(first: list)
        while let request = next {
            let page = try await run.remote.page(request)
            var (items, objects) = (try page.items(), [JSONDocument]())
            while try items.next({
                objects.append(try JSONDocument(Array($0.source), limits: run.limits.json))
            }) {}
            if let found = try await find(search, among: objects) { return found }
            next = page.next
        }
        return nil
    }

    /// Returns the object with the key that is looked for; nil if it is not among others, or marked
    /// as deleted.
    private func find(
        _ search: ObjectSearch,
        among objects: [JSONDocument]
    ) async throws -> JSONDocument? {
        try await run.store.writer.read { [run] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            let merge = ObjectMerge(run.importer, in: reader)
            return try objects.first { document in
                try document.withRoot { object in
                    try !search.list.isDeleted(object)
                        && merge.isKey(search.key, of: object, in: search.creation.row.entity)
                }
            }
        }
    }
}
