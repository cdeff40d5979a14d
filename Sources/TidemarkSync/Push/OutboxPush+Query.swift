import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Data

/// Creations whose responses were lost are looked for in lists that the service selects.
extension OutboxPush {
    /// A creation whose object is looked for.
    private struct Search: Sendable {
        let change: CapturedChange
        let request: PageRequest
    }

    /// Looks for the objects of creations whose outcome is unknown.
    ///
    /// An object that equals what was sent, and that no other row has, is taken for that of the
    /// row. Without one, the request was not applied, and is sent again. If that is not certain,
    /// because the service has selected more objects than one page contains, or by all values, the
    /// complete list decides.
    ///
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func reconcileByQuery() async throws {
        let searches = try await searches()
        guard !searches.isEmpty else { return }
        let pages = await perform(searches) { [run] search, attempts in
            let page: Result<Page, any Error>
            do {
                page = .success(try await run.remote.page(search.request, attempts: attempts))
            } catch {
                page = .failure(error)
            }
            return (search: search, page: page)
        } judge: {
            $0.page.verdictOfReading
        }
        for case (_, .failure(let error as CancellationError)) in pages { throw error }
        stopIfEnded(searches[0].request.resource.path)
        for (search, page) in pages {
            // Without a page nothing is known yet, and the next run tries again.
            guard case .success(let page) = page else { continue }
            try await decide(search, by: page)
        }
    }

    private func searches() async throws -> [Search] {
        let now = run.environment.now()
        // As long as a service may still be processing a request, its list proves nothing.
        let before = now.addingTimeInterval(-(run.limits.http.idleTimeout / .seconds(1)))
        return try await run.store.writer.read { [self] db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT _id, body FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                    WHERE kind = 'create' AND state = 'uncertain' AND lastAttempt < ? ORDER BY _id
                    """,
                arguments: [before.timeIntervalSince1970]
            )
            let builder = try builder(db)
            return try rows.compactMap { row in
                guard let change = try builder.reader.capturedChanges([row[0]]).first,
                    let resource = resources.resource(of: change.row.entity),
                    let list = try builder.target(of: change, in: resource).list,
                    let body = (row[1] as Data?).map(Array.init),
                    let request = try run.remote.request(forObjectsLike: body, in: list)
                else { return nil }
                return Search(change: change, request: request)
            }
        }
    }

    /// Imports the objects that a service has selected, and reopens a creation that has none.
    private func decide(_ search: Search, by page: Page) async throws {
        let change = search.change
        let isMatched = try await run.write { [run] db in
            var options = ImportOptions(operations: .upsert)
            options.origin = .service
            options.omitsNulls = search.request.resource.style.omitsNulls
            var items = try page.items()
            _ = try run.importer.import(
                db,
                &items,
                into: search.request.resource.entity,
                options: options
            )
            let left = try StoreReader.prepare(db, in: run.store).capturedChanges([change.number])
            guard left.contains(where: { $0.state == .uncertain }) else { return true }
            guard page.metadata.next == nil, !search.request.resource.push.queriesAllValues else {
                return false
            }
            try OutboxWriter(db: db, environment: run.environment).reopen(
                change.number,
                as: .pending(after: nil),
                because: OutboxWriter.Failure(reason: "the list does not contain the object")
            )
            return false
        }
        guard isMatched else { return }
        report.count(.acknowledged, of: change)
        run.emit(.pushed(row: change.row, kind: change.kind))
    }
}
