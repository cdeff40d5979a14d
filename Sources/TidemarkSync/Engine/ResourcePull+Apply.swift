import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Applying a page to the store.
extension ResourcePull {
    /// Returns the import session of the list that is being read.
    ///
    /// With `deletes` false, the session does not delete rows that the list did not name.
    func walk(deletes: Bool = true) -> ImportSession {
        var options = setting.options.importing
        // Objects of a list of keys are incomplete: they must not create or update rows.
        if cycle.walk.leg == .keys { options.operations.formIntersection([.delete]) }
        if !deletes || resource.style.deletes == .none { options.operations.remove(.delete) }
        return ImportSession(
            resource.path,
            into: resource.entity,
            options: options,
            run: cycle.walk.run,
            scope: child.map { .children(of: $0.parent) } ?? .entity
        )
    }

    /// Applies the page that was received, in transactions short enough to let other connections
    /// write.
    mutating func apply() async throws -> PullStateMachine.AppliedPage {
        let applied =
            switch pending {
            case .page(let page)?:
                try await apply(
                    BufferedObjects(page.items()),
                    companions: page.included().map { BufferedObjects($0) }
                )
            case .staged(let page)?:
                try await apply(
                    SpooledObjects(page.stage, at: page.items),
                    companions: page.companions.map { SpooledObjects(page.stage, at: $0) }
                )
            case nil: PullStateMachine.AppliedPage()
            }
        pending = nil
        report.pages += 1
        setting.tell(
            .page(
                resource: resource.path,
                done: report.items,
                expected: cycle.walk.leg == .list ? cycle.facts?.total : nil
            )
        )
        return applied
    }

    private mutating func apply<Source: PageBatches>(
        _ items: Source,
        companions: Source?
    ) async throws -> PullStateMachine.AppliedPage {
        var tally = PageTally()
        // First, because the last transaction of the items saves the checkpoint of the page.
        if let companions {
            tally.marks = try await steps(companions, as: companionReading, tally).marks
        }
        return try await steps(items, as: itemReading, tally).applied
    }

    /// Applies objects of a page in one transaction after the other.
    ///
    /// The transaction of the last item also saves the checkpoint.
    private mutating func steps(
        _ source: some PageBatches,
        as reading: ItemFormat,
        _ tally: PageTally
    ) async throws -> PageTally {
        var (source, tally) = (source, tally)
        var isLast = false
        while !isLast {
            let (rest, step) = try await setting.write(isLong: source.isLong) {
                [self, source, tally] db in
                var rest = source
                let step = try rest.apply(db, of: self, as: reading)
                if step.isLast, reading.role == .items { try keep(db, tally.adding(step)) }
                return (rest, step)
            }
            source = rest
            tally = tally.adding(step)
            note(step, as: reading)
            isLast = step.isLast
        }
        return tally
    }

    private mutating func note(_ step: BatchResult, as reading: ItemFormat) {
        if reading.role == .items, cycle.walk.leg != .keys { report.items += step.items }
        report.imported.add(step.report, limit: setting.limits.diagnostics)
        highest = nil
    }

    private var itemReading: ItemFormat {
        var reading = ItemFormat()
        if case .marked(let path) = resource.style.deletes { reading.gone = path }
        if case .since(let since) = resource.style.delta { reading.used = [since.field] }
        reading.kind = resource.style.objects.kind
        reading.entities = setting.kinds
        return reading
    }

    private var companionReading: ItemFormat {
        var reading = ItemFormat()
        reading.kind = resource.style.objects.kind
        reading.entities = setting.kinds
        reading.role = .companions
        return reading
    }

    /// Performs the work of one transaction: starts the import session if necessary, and applies
    /// items until a limit is reached.
    func step(
        _ db: Database,
        _ items: inout some JSONItems,
        as reading: ItemFormat
    ) throws -> BatchResult {
        try begin(db)
        var reading = reading
        reading.listed = try setting.listedEntities(db)
        let end = setting.environment.now()
            .addingTimeInterval(setting.limits.transactionTime / .seconds(1))
        return try importer.apply(
            db,
            &items,
            of: walk(),
            as: reading,
            within: BatchLimit(rows: setting.limits.rowsInTransaction) {
                setting.environment.now() >= end
            }
        )
    }

    /// Saves the cached metadata of the page and the checkpoint, in the transaction of its last
    /// rows.
    private func keep(_ db: Database, _ tally: PageTally) throws {
        guard let facts = cycle.facts else { return }
        // A page with objects that have no row yet is not cached: a 304 would hide these objects.
        if let validator = facts.validator, resource.style.validation == .pages,
            tally.applied.unknown == 0
        {
            try PageCacheEntry(
                url: setting.remote.location(of: cycle.request),
                validator: validator,
                next: facts.next?.url,
                since: facts.next?.mode.cursor,
                count: facts.count,
                total: facts.total,
                cursor: facts.cursor,
                marks: tally.marks
            )
            .save(db, in: resource.path, of: cycle.walk)
        }
        try keepPlace(db, tally.applied, next: facts.next)
    }

    /// Saves the position of the next page.
    ///
    /// After the last page the checkpoint stays, so that a resumed pull requests that page again.
    func keepPlace(
        _ db: Database,
        _ applied: PullStateMachine.AppliedPage,
        next: PageRequest?
    ) throws {
        guard let next else { return }
        var state = state
        state.walk = cycle.walk(behind: applied, next: next)
        try state.save(db)
    }

    /// Starts the import session if the list was requested from its first page.
    ///
    /// The position of an earlier read is no longer valid then.
    func begin(_ db: Database) throws {
        guard let highest else { return }
        try importer.begin(db, walk(), upTo: highest, countingOnly: setting.stored)
        var state = state
        state.walk = cycle.isSequel ? try sequel(cycle.walk) : cycle.walk.beginning
        try state.save(db)
    }

    /// Records that an unmodified page was read.
    ///
    /// If rows that it named were deleted, the page has to be read.
    mutating func mark(_ page: PullStateMachine.KnownPage) async throws -> PullStateMachine.Event {
        let applied = PullStateMachine.AppliedPage(items: page.count)
        let noted = try await setting.write { [self] db -> ImportReport? in
            let url = try setting.remote.location(of: cycle.request)
            guard let record = try PageCacheEntry.of(url, in: resource.path, db) else { return nil }
            try begin(db)
            guard let noted = try importer.mark(db, record.marks, of: walk()) else { return nil }
            try PageCacheEntry.touch(db, url, in: resource.path, of: cycle.walk)
            try keepPlace(db, applied, next: page.next)
            return noted
        }
        guard let noted else { return .outdated }
        highest = nil
        report.imported.add(noted, limit: setting.limits.diagnostics)
        return .applied(applied)
    }
}
