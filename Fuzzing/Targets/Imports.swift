import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Imports: for any document, the store stays consistent, a dry run reports the same as the import,
/// and a second import changes nothing, unless the document contradicts itself about a link.
enum Imports {
    /// Checks an input.
    ///
    /// The first bytes select the options, the entity and the scope. The other bytes are the
    /// document, or the decisions from which ``FuzzDocument`` generates one.
    static func check(_ bytes: [UInt8]) throws {
        var bytes = FuzzBytes(bytes)
        let options = options(&bytes)
        let entity = bytes.pick(entities)
        let scope = try scope(&bytes)
        let form = bytes.byte()
        let isGenerated = form < 128
        let text = isGenerated ? FuzzDocument.text(&bytes) : bytes.remainder()
        let run = Run(
            text: text,
            entity: entity,
            scope: scope,
            options: options,
            isExported: form % 8 == 7
        )
        try FuzzStore.shared().trying { db in try check(db, run) }
    }

    fileprivate struct Run {
        let text: [UInt8]
        let entity: String
        let scope: ImportScope
        let options: ImportOptions
        /// Whether rows are exported after the import.
        ///
        /// This takes longer than the rest of the check.
        let isExported: Bool
    }

    private static let entities = [
        "Company", "Person", "Director", "Tag", "Badge", "Note", "Thing", "Book", "Film",
    ]

    private static func options(_ bytes: inout FuzzBytes) -> ImportOptions {
        let choice = bytes.byte()
        // All operations are the most frequent choice in practice.
        let operations = bytes.byte()
        var options = ImportOptions(
            operations: operations < 64 ? ImportOperations(rawValue: Int(operations)) : .all,
            unresolved: choice & 1 == 0 ? .deferred : .ignore,
            invalid: choice & 14 == 0 ? .abort : .skip
        )
        options.showsValues = choice & 16 == 0
        return options
    }

    private static func scope(_ bytes: inout FuzzBytes) throws -> ImportScope {
        switch bytes.number(below: 10) {
        case 0: .rows(where: try RecordPredicate("id > 1 OR id = NULL"))
        case 1: .children(of: try RecordLocator("Company:1"))
        case 2: .children(of: try RecordLocator("Company:1"), relationship: "people")
        case 3: .children(of: try RecordLocator("Person:1"), relationship: "notes")
        case 4: .children(of: try RecordLocator("Person:2"), relationship: "tags")
        case 5: .children(of: try RecordLocator("Person#1"), relationship: "team")
        default: .entity
        }
    }

    private static func check(_ db: Database, _ run: Run) throws {
        let dryRun = try outcome(db, run, undone: true)
        let report = try outcome(db, run, undone: false)
        try Violation.unlessEqual(dryRun, report, "a dry run and an import\n\(run.description)")
        guard let report else { return }
        let isContradictory = try LinkChanges.areContradictory(db)
        try LinkChanges.discard(db)
        let first = try FuzzTables.text(db)
        if !report.isUnchanged { try FuzzTables.checkIntegrity(db, run.description) }
        if run.isExported { try checkExport(db) }
        guard try outcome(db, run, undone: false) != nil else {
            throw Violation("the second import fails\n\(run.description)")
        }
        if try isContradictory || LinkChanges.areContradictory(db) {
            return try FuzzTables.checkIntegrity(db, run.description)
        }
        try Violation.unlessSameText(
            first,
            FuzzTables.text(db),
            "imported again\n\(run.description)"
        )
    }

    /// Returns the report of an import; nil if it fails with a documented error.
    private static func outcome(
        _ db: Database,
        _ run: Run,
        undone: Bool
    ) throws -> ImportReport? {
        var report: ImportReport?
        try db.inSavepoint {
            do {
                var items = try JSONDocument(run.text).items()
                report = try FuzzStore.shared().importer.import(
                    db,
                    &items,
                    into: run.entity,
                    scope: run.scope,
                    options: run.options
                )
                return undone ? .rollback : .commit
            } catch is JSONError, is JSONItemsError, is ImportError, is RecordPredicateError {
                return .rollback
            } catch is StoreError {
                return .rollback
            }
        }
        return report
    }

    private static func checkExport(_ db: Database) throws {
        let shared = try FuzzStore.shared()
        var dump = JSONWriter()
        try StoreDump(shared.store).write(db, into: &dump)
        _ = try JSONDocument(dump.bytes)
        for entity in ["Company", "Director", "Badge"] {
            var writer = JSONWriter()
            do {
                try shared.exporter.write(db, RecordRequest(entity), into: &writer)
                _ = try JSONDocument(writer.bytes)
            } catch let error as ImportError
                where error.code == .tooManyObjects || error.code == .tooDeep
            {
                // An export with too many or too deeply nested objects is rejected.
            }
        }
    }
}

extension Imports.Run {
    /// A description of the import for a violation.
    fileprivate var description: String {
        "\(String(decoding: text, as: UTF8.self)) into \(entity), \(scope), \(options)"
    }
}
