public import GRDB
import TidemarkStore

/// How many rows a walk may delete without being asked.
public struct SweepGuard: Sendable, Hashable {
    /// The share of the entity's rows, from 0 to 1, that may be deleted however many they are.
    public var share: Double

    /// How many rows may be deleted whatever their share is.
    public var rows: Int

    /// From how many rows on not all of them may be deleted.
    public var all: Int

    /// Creates a guard: by default half of the rows, or up to 100, but not all where there are ten
    /// or more.
    public init(share: Double = 0.5, rows: Int = 100, all: Int = 10) {
        self.share = share
        self.rows = rows
        self.all = all
    }

    /// Whether so many rows may be deleted of so many that there are.
    func permits(_ count: Int, of total: Int) -> Bool {
        if count == total { return total < all }
        return count <= rows || Double(count) <= share * Double(total)
    }
}

/// How a walk has ended.
public enum WalkEnd: Sendable, Hashable {
    /// What the list did not name is gone.
    case finished(ImportReport)

    /// More would be gone than the guard permits: the rows stay until somebody decides.
    case parked(ImportReport, ParkedSweep)

    /// Something would be gone, and that is not proved: the walk goes on.
    case unproved

    /// What became of rows and references.
    public var report: ImportReport {
        switch self {
        case .finished(let report), .parked(let report, _): report
        case .unproved: ImportReport()
        }
    }
}

/// Rows that a list did not name, kept until somebody decides.
public struct ParkedSweep: Sendable, Hashable {
    /// The name of the walk.
    public var resource: String

    /// The entity that the list's objects are.
    public var entity: String

    /// How many rows would be deleted.
    public var rows: Int

    /// How many rows of the entity there are.
    public var total: Int
}

extension Importer {
    /// Deletes what the list did not name, and ends the walk.
    ///
    /// Call it only when every page of the list has been applied.
    public func finish(_ db: Database, _ walk: Walk) throws -> ImportReport {
        try finish(db, walk, guardedBy: nil).report
    }

    /// Deletes what the list did not name, unless that is too much to be believed, and ends the
    /// walk.
    ///
    /// A walk that is parked keeps what it has seen: rows that anybody names meanwhile are no
    /// longer among those that would be deleted. ``acceptSweep(_:_:)`` deletes the others.
    ///
    /// - Parameters:
    ///   - db: the transaction.
    ///   - walk: the walk.
    ///   - sweepGuard: how many rows may be deleted; nil for any number.
    ///   - isProof: whether a row that the list did not name is known to be gone; where it is not,
    ///     the walk is ended only when there is none.
    /// - Returns: how it has ended.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the walk was not begun.
    public func finish(
        _ db: Database,
        _ walk: Walk,
        guardedBy sweepGuard: SweepGuard?,
        isProof: Bool = true
    ) throws -> WalkEnd {
        var parked: ParkedSweep?
        var isUnproved = false
        let report = try perform(db, walk, postponedAfter: 0) { run, entity, highest in
            if walk.options.operations.contains(.delete) {
                try run.findStale(entity, upTo: highest)
                isUnproved = !isProof && !run.stale.isEmpty
                guard !isUnproved else {
                    run.stale = [:]
                    return
                }
                parked = try run.park(walk, entity, sweepGuard)
            }
            try run.deleteStale()
            try run.retryPostponed(of: walk, entity, isLast: true)
            try run.deleteStale()
            if parked != nil {
                try SweepMarks(db, walk.resource, store.layout).save(run)
                try rename(db, walk.resource, to: walk.parkedName)
            } else {
                try forget(db, walk.resource)
                // A list that deletes nothing says nothing of what waits for a decision.
                if walk.options.operations.contains(.delete) { try forget(db, walk.parkedName) }
            }
        }
        if isUnproved { return .unproved }
        return parked.map { .parked(report, $0) } ?? .finished(report)
    }

    /// The sweeps that wait for a decision.
    public func parkedSweeps(_ db: Database) throws -> [ParkedSweep] {
        let walks = try Row.fetchAll(
            db,
            sql: """
                SELECT resource, entity, run FROM _tidemark_walk WHERE resource LIKE ? \
                ORDER BY resource
                """,
            arguments: ["\(Walk.parkedPrefix)%"]
        )
        return try walks.map { row in
            let walk = Walk(row[0], into: row[1], run: row[2])
            let (run, entity, highest) = try open(db, walk, postponedAfter: 0)
            try run.findStale(entity, upTo: highest)
            return try run.parkedSweep(walk, entity)
        }
    }

    /// Deletes the rows of a sweep that waits for a decision, but for those that have been named
    /// since.
    ///
    /// - Throws: ``ImportError/Code/unknownWalk`` when no such sweep waits.
    public func acceptSweep(_ db: Database, _ resource: String) throws -> ImportReport {
        let name = Walk.parkedPrefix + resource
        let row = try Row.fetchOne(
            db,
            sql: "SELECT entity, run FROM _tidemark_walk WHERE resource = ?",
            arguments: [name]
        )
        guard let row else {
            throw ImportError(
                .unknownWalk,
                "No sweep of \(resource) waits for a decision.",
                hint: "List those that do."
            )
        }
        let walk = Walk(name, into: row[0], run: row[1])
        return try perform(db, walk, postponedAfter: 0) { run, entity, highest in
            try run.findStale(entity, upTo: highest)
            try run.deleteStale()
            try forget(db, name)
        }
    }

    /// Forgets a sweep that waits for a decision: its rows stay.
    public func discardSweep(_ db: Database, _ resource: String) throws {
        try forget(db, Walk.parkedPrefix + resource)
    }

    private func rename(_ db: Database, _ old: String, to new: String) throws {
        try forget(db, new)
        try db.execute(
            sql: """
                INSERT INTO _tidemark_walk (resource, entity, run, highest) \
                SELECT ?1, entity, run, highest FROM _tidemark_walk WHERE resource = ?2
                """,
            arguments: [new, old]
        )
        for table in ["_tidemark_sweep", "_tidemark_retry"] {
            try db.execute(
                sql: "UPDATE \(table) SET resource = ?1 WHERE resource = ?2",
                arguments: [new, old]
            )
        }
        try forget(db, old)
    }
}

extension Walk {
    static let parkedPrefix = "parked:"

    var parkedName: String { Self.parkedPrefix + resource }
}

extension ImportRun {
    /// Sets the rows aside that a guard does not permit to be deleted; nil where it permits all.
    fileprivate func park(
        _ walk: Walk,
        _ entity: EntityImport,
        _ sweepGuard: SweepGuard?
    ) throws -> ParkedSweep? {
        guard let sweepGuard else { return nil }
        let sweep = try parkedSweep(walk, entity)
        guard sweep.rows > 0, !sweepGuard.permits(sweep.rows, of: sweep.total) else { return nil }
        stale[entity.plan.entity.table] = nil
        return sweep
    }

    /// What would be deleted of how many.
    fileprivate func parkedSweep(_ walk: Walk, _ entity: EntityImport) throws -> ParkedSweep {
        let layout = entity.plan.entity
        let table = entity.table.name.quotedDatabaseIdentifier
        let total = try Int.fetchOne(
            writer.db,
            sql: """
                SELECT count(*) FROM \(table) \
                WHERE \(self.layout.hasKeyCondition(layout, in: table))\(layout.familyCondition)
                """
        )
        return ParkedSweep(
            resource: walk.resource.hasPrefix(Walk.parkedPrefix)
                ? String(walk.resource.dropFirst(Walk.parkedPrefix.count)) : walk.resource,
            entity: walk.entity,
            rows: stale[layout.table]?.count ?? 0,
            total: total ?? 0
        )
    }
}
