import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// A page on its way into the store.
extension ResourcePull {
    /// The walk that the import knows of the list that is being read.
    func walk(deletes: Bool = true) -> ImportSession {
        var options = setting.options.importing
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

    /// Brings the page that has come into the store, in transactions that are short enough for
    /// whoever else writes.
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
        if let companions {
            tally.marks = try await steps(companions, as: companionReading, tally).marks
        }
        return try await steps(items, as: itemReading, tally).applied
    }

    /// Applies objects of a page, one transaction after the other; with the last of its items it is
    /// kept how far the list was read.
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

    /// One transaction: begins the walk where it is not begun yet, and applies some items.
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

    /// Keeps how far the list was read, in the transaction of the rows that were read last.
    private func keep(_ db: Database, _ tally: PageTally) throws {
        guard let facts = cycle.facts else { return }
        // A page that names what is not here yet would not name it when it is as it was.
        if let validator = facts.validator, resource.style.validation == .pages,
            tally.applied.unknown == 0
        {
            try PageCacheEntry(
                url: setting.remote.location(of: cycle.request),
                validator: validator,
                next: facts.next?.url,
                since: facts.next?.purpose.since,
                count: facts.count,
                total: facts.total,
                cursor: facts.cursor,
                marks: tally.marks
            )
            .save(db, in: resource.path, of: cycle.walk)
        }
        try keepPlace(db, tally.applied, next: facts.next)
    }

    /// Keeps the place that was reached; at the end of a list its last page is read again, if it
    /// comes to that.
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

    /// Begins the walk where its list was asked for from the beginning: no place that an earlier
    /// reading had reached holds any more.
    func begin(_ db: Database) throws {
        guard let highest else { return }
        try importer.begin(db, walk(), upTo: highest, countingOnly: setting.stored)
        var state = state
        state.walk = cycle.isSequel ? try sequel(cycle.walk) : cycle.walk.beginning
        try state.save(db)
    }

    /// Notes that a page is as it was; where rows that it named are gone, it has to be read.
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
