import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkImport

/// The reports and notifications of an import equal the changes that it made.
struct ReportPropertyTests {
    private static let traits: RandomModel.Traits = [
        .ownedKeyless, .abstractParents, .deleteRules, .required, .unidirectional,
    ]

    /// The counts of a report equal the differences between the states before and after.
    ///
    /// Inserted and deleted rows are counted exactly; a row that changes its entity is counted as
    /// both. An updated row differs in its own columns, or only in a list of the document. The
    /// property holds for documents that contain no row twice.
    @Test func `the counts of a report equal the differences`() async throws {
        let samples = ServiceHistory.random(Self.traits, times: 2)
        try await Property(cases: 40, sample: samples).holds { history, pool in
            let target = try pool.next()
            var before = try State(target)
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                let report = try target.load(step)
                let after = try State(target)
                for table in target.store.layout.tables {
                    try check(report, table, before, after)
                }
                before = after
            }
        }
    }

    /// The recorded changes, of which observers are notified, contain exactly the rows that differ.
    ///
    /// A row that was inserted and deleted again is recorded as both.
    @Test func `observers are notified of exactly the rows that differ`() async throws {
        let samples = ServiceHistory.random(Self.traits, times: 2)
        try await Property(cases: 40, sample: samples).holds { history, pool in
            let target = try pool.next()
            var before = try target.contents()
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                let changes = try target.store.writer.write { db in
                    var items = try step.document.items
                    return try target.importer
                        .run(db, &items, into: step.entity)
                        .writer.changes
                }
                let after = try target.contents()
                try check(changes, before, after)
                before = after
            }
        }
    }

    // MARK: Checks

    /// The contents of a store at one point in time.
    private struct State {
        let contents: StoreContents
        let records: [RowReference: StoredRecord]

        init(_ target: TestStore) throws {
            contents = try target.contents()
            let all = try target.store.read { db in
                try target.store.layout.tables.flatMap {
                    try db.fetch(RecordRequest($0.name, links: .all))
                }
            }
            records = Dictionary(
                all.map { ($0.reference, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    private func check(
        _ report: ImportReport,
        _ table: TableLayout,
        _ before: State,
        _ after: State
    ) throws {
        let old = before.contents.entities(of: table)
        let new = after.contents.entities(of: table)
        for entity in table.entities {
            let counts = report.entities[entity] ?? ImportReport.Counts()
            let inserted = new.filter { $0.value == entity && old[$0.key] != entity }.keys
            let deleted = old.filter { $0.value == entity && new[$0.key] != entity }.keys
            let stayed = new.filter { $0.value == entity && old[$0.key] == entity }.keys
            let changed = stayed.filter {
                before.contents.tables[table.name]?[$0] != after.contents.tables[table.name]?[$0]
            }
            let linked = stayed.filter {
                let name = RowReference(entity, $0)
                return !changed.contains($0) && before.records[name] != after.records[name]
            }
            let updated = changed.count...changed.count + linked.count
            if counts.inserted == inserted.count, counts.deleted == deleted.count,
                updated.contains(counts.updated), counts.unchanged <= stayed.count - changed.count
            {
                continue
            }
            throw Counterexample(
                """
                \(counts) of \(entity), but inserted are \(inserted.sorted()), deleted \
                \(deleted.sorted()), changed \(changed.sorted()), linked otherwise \
                \(linked.sorted())
                """
            )
        }
    }

    private func check(
        _ changes: StoreChanges,
        _ before: StoreContents,
        _ after: StoreContents
    ) throws {
        for name in before.tables.keys where name != "_tidemark_held" {
            let old = before.tables[name] ?? [:]
            let new = after.tables[name] ?? [:]
            let recorded = changes.table(name)
            let inserted = Set(recorded.inserted.rows)
            let deleted = Set(recorded.deleted.rows)
            let updated = Set(recorded.updated.rows).subtracting(inserted).subtracting(deleted)
            let added = Set(new.keys).subtracting(old.keys)
            let removed = Set(old.keys).subtracting(new.keys)
            let changed = Set(new.keys.filter { old[$0] != nil && old[$0] != new[$0] })

            let isLinks = name.hasPrefix("_tidemark")
            // The number of a deleted link may be given to another one, which may be deleted, too.
            let reused = isLinks ? inserted.intersection(deleted) : []
            try same(
                list(inserted.subtracting(deleted)),
                list(added.subtracting(reused)),
                "\(name): new rows"
            )
            try same(
                list(deleted.subtracting(inserted)),
                list(removed.subtracting(reused)),
                "\(name): deleted rows"
            )
            guard !isLinks else { continue }
            try same(list(updated), list(changed), "\(name): rows that differ")
        }
    }

    private func list(_ rows: Set<Int64>) -> String { "\(rows.sorted())" }
}
