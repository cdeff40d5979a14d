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

    /// Goes through the pages of a resource: each is one transaction; what the last leaves unnamed
    /// goes.
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
            let items = try page.list()
            let isFirst = asked.url == nil
            let applied = try await importer.store.writer.write { db in
                if isFirst { try importer.begin(db, walk) }
                return try importer.apply(db, counting: items, of: walk)
            }
            report.pages += 1
            report.items += applied.items
            report.imported.add(applied.report)
            events(.page(resource: resource.path, done: report.items, expected: page.total))
            request = page.next
        }
        let swept = try await importer.store.writer.write { db in try importer.finish(db, walk) }
        report.imported.add(swept)
        let counts = report.imported.entities[resource.entity] ?? .init()
        events(.finished(resource: resource.path, counts))
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

extension Importer {
    /// Applies items to a walk, and counts them.
    fileprivate func apply(
        _ db: Database,
        counting items: JSONDocumentItems,
        of walk: Walk
    ) throws -> (items: Int, report: ImportReport) {
        var counted = CountedItems(items)
        let report = try apply(db, &counted, of: walk)
        return (counted.count, report)
    }
}

extension Page {
    /// The objects of the page.
    ///
    /// An answer without a list is no empty list: nothing may be deleted for it.
    fileprivate func list() throws -> JSONDocumentItems {
        do {
            return try items()
        } catch let error as JSONItemsError {
            throw RemoteError(
                .noList,
                "\(label) was answered without a list: \(error).",
                hint: "Check the resource's path, and its envelope: where the list stands.",
                underlying: error
            )
        }
    }
}

/// Items that are counted as they are read.
private struct CountedItems<Base: JSONItems>: JSONItems {
    private var base: Base
    private(set) var count = 0

    init(_ base: Base) {
        self.base = base
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        let isAny = try base.next(body)
        if isAny { count += 1 }
        return isAny
    }
}
