import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

extension SyncEngine {
    /// Pulls several resources, so many at a time.
    func pullResources(_ entities: Set<String>?) async throws -> SyncReport {
        let before = traffic.total
        var report = SyncReport()
        let chosen = resources.filter { entities?.contains($0.entity) ?? true }
        try await withThrowingTaskGroup(of: (String, SyncReport.ResourceReport).self) { group in
            var waiting = chosen.makeIterator()
            for _ in 0..<max(1, limits.concurrency) {
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await self.pull(resource)) }
                }
            }
            while let (path, outcome) = try await group.next() {
                report.resources[path] = outcome
                if let resource = waiting.next() {
                    group.addTask { (resource.path, try await self.pull(resource)) }
                }
            }
        }
        let after = traffic.total
        report.requests = after.requests - before.requests
        report.bytes = after.bytes - before.bytes
        let store = importer.store
        report.waiting = try await store.writer.read { db in try store.heldReferenceCount(db) }
        return report
    }

    /// Pulls one resource; what stands against it becomes part of its report.
    private nonisolated func pull(_ resource: Resource) async throws -> SyncReport.ResourceReport {
        var report = SyncReport.ResourceReport(resource.entity)
        do {
            try await walk(resource, &report)
        } catch let error as RemoteError {
            report.failure = error
        } catch let error as ImportError where error.code == .unknownWalk {
            report.failure = SyncError(
                .overtaken,
                "Another pull of \(resource.path) into this store began meanwhile.",
                hint: "Let that one finish, or try again later."
            )
        } catch let error as ImportError {
            report.failure = error
        }
        return report
    }

    /// Goes through the pages of a resource; what the last leaves unnamed goes.
    private nonisolated func walk(
        _ resource: Resource,
        _ report: inout SyncReport.ResourceReport
    ) async throws {
        let walk = Walk(
            resource.path,
            into: resource.entity,
            options: resource.importOptions,
            run: "\(environment.uuid())"
        )
        let importer = importer
        var request: PageRequest? = PageRequest(first: resource)
        while let asked = request {
            let page = try await remote.page(asked)
            if asked.url == nil {
                try await importer.store.writer.write { db in try importer.begin(db, walk) }
            }
            try await apply(page, of: walk, &report)
            report.pages += 1
            events(.page(resource: resource.path, done: report.items, expected: page.total))
            request = page.next
        }
        let swept = try await importer.store.writer.write { db in try importer.finish(db, walk) }
        report.imported.add(swept)
        let counts = report.imported.entities[resource.entity] ?? .init()
        events(.finished(resource: resource.path, counts))
    }

    /// Applies a page, so many rows a transaction: whoever else writes waits for one at most.
    private nonisolated func apply(
        _ page: Page,
        of walk: Walk,
        _ report: inout SyncReport.ResourceReport
    ) async throws {
        let importer = importer
        var portion = Portion(try page.list(), limit: limits.rowsInTransaction)
        repeat {
            let next = portion.next()
            let (done, applied) = try await importer.store.writeRepeatable { db in
                var items = next
                let applied = try importer.apply(db, &items, of: walk)
                return (items, applied)
            }
            portion = done
            report.items += done.count
            report.imported.add(applied)
        } while !portion.isLast
    }
}

extension Resource {
    /// How the list's objects are imported: without a way to tell deletions nothing is deleted.
    fileprivate var importOptions: ImportOptions {
        switch deletes {
        case .sweep: ImportOptions()
        case .none: ImportOptions(operations: ImportOperations.all.subtracting(.delete))
        }
    }
}

extension Page {
    /// The objects of the page.
    ///
    /// An answer without a list is no empty list, and one object is not all there is: nothing may
    /// be deleted for it.
    fileprivate func list() throws -> JSONDocumentItems {
        do {
            let items = try items()
            guard isList else { throw noList("it is one object") }
            return items
        } catch let error as JSONItemsError {
            throw noList("\(error)", error)
        }
    }

    private func noList(_ reason: String, _ underlying: (any Error)? = nil) -> RemoteError {
        RemoteError(
            .noList,
            "\(label) was answered without a list: \(reason).",
            hint: "Check the resource's path, and its envelope: where the list stands.",
            underlying: underlying
        )
    }
}
