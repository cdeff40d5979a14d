import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// A page on its way into the store.
extension PullRun {
    /// The walk that the import knows of the list that is being read.
    func walk(deletes: Bool = true) -> Walk {
        var operations = ImportOperations.all
        if cycle.walk.leg == .keys { operations = [.delete] }
        if !deletes || resource.style.deletes == .none { operations.remove(.delete) }
        return Walk(
            resource.path,
            into: resource.entity,
            options: ImportOptions(operations: operations),
            run: cycle.walk.run
        )
    }

    /// Puts the bytes of a long page aside, and returns what they tell.
    mutating func stage(_ page: LongPage) async throws -> PageFacts {
        try await clearStage()
        do {
            return try await putAside(page)
        } catch let error as RemoteError {
            try await clearStage()
            throw error
        }
    }

    private func clearStage() async throws {
        var isAnythingLeft = true
        while isAnythingLeft {
            isAnythingLeft = try await setting.write(isLong: true) { [stage] db in
                try stage.dropSome(db)
            }
        }
    }

    private mutating func putAside(_ page: LongPage) async throws -> PageFacts {
        let stage = stage
        var offset = 0
        var piece: [UInt8] = []
        for try await chunk in page.body {
            guard offset + piece.count + chunk.count <= setting.limits.bodyBytes else {
                throw page.tooLarge(limit: setting.limits.bodyBytes)
            }
            var rest = chunk[...]
            while !rest.isEmpty {
                let part = rest.prefix(Stage.pieceBytes - piece.count)
                piece += part
                rest = rest.dropFirst(part.count)
                guard piece.count == Stage.pieceBytes else { continue }
                try await write(piece, at: offset)
                offset += piece.count
                piece = []
            }
        }
        try await write(piece, at: offset)
        let (facts, place) = try await store.writer.read { [setting] db in
            let (facts, offset) = try setting.remote.facts(
                of: page,
                read: stage.reader(db, from: 0)
            )
            return (facts, StagedItems.Place(offset: offset, count: facts.count))
        }
        pending = .staged(place)
        return facts
    }

    private func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await setting.write(isLong: true) { [stage] db in
            try stage.write(db, bytes, at: offset)
        }
    }

    /// Brings the page that has come into the store, in transactions that are short enough for
    /// whoever else writes.
    mutating func apply() async throws -> SyncCycle.AppliedPage {
        guard let page = pending else { return SyncCycle.AppliedPage() }
        var applied = SyncCycle.AppliedPage()
        var marks = WalkMarks()
        switch page {
        case .page(let page):
            if let companions = try page.included() {
                var others = SyncCycle.AppliedPage()
                marks.add(try await steps(companions, as: companionReading, &others, nil))
            }
            let items = try page.items()
            marks.add(try await steps(items, as: itemReading, &applied, (page.facts, marks)))
        case .staged(let place):
            try await steps(staged: place, &applied)
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

    private var itemReading: ItemReading {
        var reading = ItemReading()
        if case .marked(let path) = resource.style.deletes { reading.gone = path }
        reading.kind = resource.style.objects.kind
        reading.entities = setting.kinds
        return reading
    }

    private var companionReading: ItemReading {
        var reading = ItemReading()
        reading.kind = resource.style.objects.kind
        reading.entities = setting.kinds
        reading.role = .companions
        return reading
    }

    /// Applies items of a page that stands in memory; the last step keeps how far it was read.
    private mutating func steps<Items: JSONItems & Sendable>(
        _ items: Items,
        as reading: ItemReading,
        _ applied: inout SyncCycle.AppliedPage,
        _ last: (facts: PageFacts, marks: WalkMarks)?
    ) async throws -> WalkMarks {
        var items = items
        var marks = last?.marks ?? WalkMarks()
        var page = applied
        var isFirst = true
        var isLast = false
        while !isLast {
            let (rest, step) = try await setting.write(isLong: !isFirst) {
                [self, items, marks, page] db in
                var rest = items
                let step = try self.step(db, &rest, as: reading)
                if step.isLast, let last {
                    var marks = marks
                    marks.add(step.marks)
                    try keep(db, last.facts, marks, page.adding(step))
                }
                return (rest, step)
            }
            items = rest
            marks.add(step.marks)
            page = page.adding(step)
            note(step, as: reading)
            isFirst = false
            isLast = step.isLast
        }
        applied = page
        return marks
    }

    /// Applies items of a page that was put aside.
    private mutating func steps(
        staged place: StagedItems.Place,
        _ applied: inout SyncCycle.AppliedPage
    ) async throws {
        var place = place
        var marks = WalkMarks()
        var sum = applied
        var isLast = false
        while !isLast {
            let (rest, step) = try await setting.write(isLong: true) {
                [self, place, marks, sum] db in
                let staged = StagedItems(db, stage, from: place, limits: setting.limits)
                var items = PageItems(staged, resource.style.objects, limits: setting.limits)
                var step = try self.step(db, &items, as: itemReading)
                let rest = items.base.rest
                step.isLast = rest.count == 0
                if step.isLast, let facts = cycle.facts {
                    var marks = marks
                    marks.add(step.marks)
                    try keep(db, facts, marks, sum.adding(step))
                }
                try stage.drop(db, before: step.isLast ? .max : rest.offset)
                return (rest, step)
            }
            place = rest
            marks.add(step.marks)
            sum = sum.adding(step)
            note(step, as: itemReading)
            isLast = step.isLast
        }
        applied = sum
    }

    private mutating func note(_ step: WalkStep, as reading: ItemReading) {
        if reading.role == .items, cycle.walk.leg != .keys { report.items += step.items }
        report.imported.add(step.report)
        highest = nil
    }

    /// One transaction: begins the walk where it is not begun yet, and applies some items.
    private func step(
        _ db: Database,
        _ items: inout some JSONItems,
        as reading: ItemReading
    ) throws -> WalkStep {
        try begin(db)
        let start = setting.environment.now()
        return try importer.apply(
            db,
            &items,
            of: walk(),
            as: reading,
            within: StepBound(rows: setting.limits.rowsInTransaction) {
                setting.environment.duration(since: start) >= setting.limits.transactionTime
            }
        )
    }

    /// Keeps how far the list was read, in the transaction of the rows that were read last.
    private func keep(
        _ db: Database,
        _ facts: PageFacts,
        _ marks: WalkMarks,
        _ applied: SyncCycle.AppliedPage
    ) throws {
        // A page that names what is not here yet would not name it when it is as it was.
        if let validator = facts.validator, resource.style.validation == .pages,
            applied.unknown == 0
        {
            try PageRecord(
                url: setting.remote.location(of: cycle.request),
                validator: validator,
                next: facts.next?.url,
                count: facts.count,
                total: facts.total,
                cursor: facts.cursor,
                marks: marks
            )
            .save(db, in: resource.path, of: cycle.walk)
        }
        try keepPlace(db, applied, next: facts.next)
    }

    /// Keeps the place that was reached; at the end of a list its last page is read again, if it
    /// comes to that.
    func keepPlace(
        _ db: Database,
        _ applied: SyncCycle.AppliedPage,
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
        try importer.begin(db, walk(), upTo: highest)
        var state = state
        state.walk = OpenWalk(cycle.walk.leg, run: cycle.walk.run)
        try state.save(db)
    }

    /// Notes that a page is as it was; where rows that it named are gone, it has to be read.
    mutating func mark(_ page: SyncCycle.KnownPage) async throws -> SyncCycle.Event {
        let applied = SyncCycle.AppliedPage(items: page.count)
        let noted = try await setting.write { [self] db -> ImportReport? in
            let url = try setting.remote.location(of: cycle.request)
            guard let record = try PageRecord.of(url, in: resource.path, db) else { return nil }
            try begin(db)
            guard let noted = try importer.mark(db, record.marks, of: walk()) else { return nil }
            try PageRecord.touch(db, url, in: resource.path, of: cycle.walk)
            try keepPlace(db, applied, next: page.next)
            return noted
        }
        guard let noted else { return .outdated }
        highest = nil
        report.imported.add(noted)
        return .applied(applied)
    }
}

extension SyncCycle.AppliedPage {
    fileprivate func adding(_ step: WalkStep) -> Self {
        Self(
            items: items + step.items - step.repeated,
            repeated: repeated + step.repeated,
            unknown: unknown + step.unknown
        )
    }
}
