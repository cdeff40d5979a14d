import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Import sessions: a list applied in pages has the same result as one import.
struct SessionPropertyTests {
    fileprivate static let traits: RandomModel.Traits = [
        .ownedKeyless, .abstractParents, .deleteRules, .required, .unidirectional,
    ]

    /// Pages of any size result in the same store as one import, and in the same numbers of
    /// inserted, deleted and skipped rows.
    @Test func `a session over pages of any size equals one import`() async throws {
        let samples = ServiceHistory.random(Self.traits, times: 2)
        try await Property(cases: 30, sample: samples).holds { history, pool in
            var chance = Chance(seed: history.seed, for: "pages")
            let (whole, paged) = (try pool.next(), try pool.next())
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                let expected = try whole.load(step)
                let report = try paged.importPages(step, of: chance.number(1...3))
                try same(report.sums, expected.sums, "Another report")
            }
            try paged.checkIntegrity()
            try same(
                try paged.keyedContents(),
                try whole.keyedContents(),
                "The stores differ"
            )
        }
    }

    /// An interrupted session results in the same store as one import, whether it is started again
    /// or resumed at the page that it had reached.
    ///
    /// That page may be applied a second time.
    @Test(arguments: [true, false])
    func `an interrupted session equals one import after it is restarted or resumed`(
        isBegunAgain: Bool
    ) async throws {
        let samples = ServiceHistory.random(Self.traits, times: 2)
        try await Property(cases: 20, sample: samples).holds { history, pool in
            var chance = Chance(seed: history.seed, for: "pages")
            let (whole, paged) = (try pool.next(), try pool.next())
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                try whole.load(step)
                let size = chance.number(1...3)
                let reached = try paged.begin(step, of: size, stoppingAfter: chance.number(0...2))
                let first = isBegunAgain ? nil : reached
                try paged.importPages(step, of: size, from: first, with: Importer(paged.store))
            }
            try same(
                try paged.keyedContents(),
                try whole.keyedContents(),
                "The stores differ"
            )
        }
    }
}

extension SessionPropertyTests {
    /// Imports insert, update, link, order and delete rows: none of it is a change to push.
    @Test func `sessions and imports of what a service sends leave no local change`()
        async throws
    {
        let samples = ServiceHistory.random(Self.traits, times: 3)
        try await Property(cases: 30, sample: samples).holds { history in
            var chance = Chance(seed: history.seed, for: "pages")
            let target = try TestStore(history.model)
            try target.store.writer.write { db in
                try Capture.install(db, target.store.layout)
            }
            var options = ImportOptions()
            options.origin = .service
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                if chance.happens(50) {
                    try target.importPages(step, of: chance.number(1...3), options)
                } else {
                    try target.load(step, options)
                }
                try target.store.writer.write { db in
                    try Capture.of(db, target.store.layout)?.collect()
                }
                try same(try target.store.outbox(), "", "\(step.entity) \(step.document.text)")
            }
        }
    }
}

extension TestStore {
    /// Imports a document in pages, and returns the sum of their reports.
    ///
    /// Starts a new session, or resumes the open one at the page with the index `first`.
    @discardableResult
    fileprivate func importPages(
        _ step: ImportSample.Step,
        of size: Int,
        _ options: ImportOptions = ImportOptions(),
        from first: Int? = nil,
        with importer: Importer? = nil
    ) throws -> ImportReport {
        let importer = importer ?? self.importer
        let session = ImportSession("list", into: step.entity, options: options)
        if first == nil { try store.writer.write { db in try importer.begin(db, session) } }
        var report = ImportReport()
        for page in step.document.pages(of: size).dropFirst(first ?? 0) {
            var items = try page.items
            report.add(try store.writer.write { db in try importer.apply(db, &items, of: session) })
        }
        report.add(try store.writer.write { db in try importer.finish(db, session) })
        return report
    }

    /// Starts a session that stops after `count` pages, and returns the index of the last page
    /// applied, at which it resumes.
    fileprivate func begin(
        _ step: ImportSample.Step,
        of size: Int,
        stoppingAfter count: Int
    ) throws -> Int {
        let session = ImportSession("list", into: step.entity)
        try store.writer.write { db in try importer.begin(db, session) }
        let pages = step.document.pages(of: size).prefix(count)
        for page in pages {
            var items = try page.items
            _ = try store.writer.write { db in try importer.apply(db, &items, of: session) }
        }
        return max(0, pages.count - 1)
    }
}

extension JSONTree {
    /// Returns the items of a list in pages of `size` items.
    func pages(of size: Int) -> [JSONTree] {
        guard case .array(let items) = self else { return [self] }
        return stride(from: 0, to: items.count, by: size).map { start in
            .array(Array(items[start..<min(start + size, items.count)]))
        }
    }
}

extension ImportReport {
    /// The counts that do not depend on the size of pages.
    ///
    /// Updates are excluded, because several pages may update the same row.
    fileprivate var sums: String {
        entities.sorted { $0.key < $1.key }
            .map { "\($0.key) +\($0.value.inserted) -\($0.value.deleted) !\($0.value.skipped)" }
            .filter { !$0.hasSuffix("+0 -0 !0") }
            .joined(separator: "\n")
    }
}
