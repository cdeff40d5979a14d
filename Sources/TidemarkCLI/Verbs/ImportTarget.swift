import GRDB
import TidemarkImport
import TidemarkInference
import TidemarkModel
import TidemarkStore

/// The store into which a document is imported.
struct ImportTarget {
    /// The store.
    ///
    /// In a dry run, an in-memory store if the file does not exist.
    let store: Store

    private let verb: ImportVerb
    private let document: DocumentFile

    /// Opens the store.
    ///
    /// If it does not exist and no model is given, creates it with a model that is inferred from
    /// the document.
    ///
    /// - Parameters:
    ///   - verb: The arguments of the command.
    ///   - document: The document.
    ///   - changes: The change log for the changes of a migration.
    /// - Returns: The target.
    /// - Throws: ``Failure``, `StoreError`, `ModelError`, `DatabaseError`.
    static func open(
        for verb: ImportVerb,
        document: DocumentFile,
        changes: ChangeLog
    ) throws -> ImportTarget {
        do {
            let store =
                try verb.dryRun
                ? verb.store.openForDryRun() : verb.store.open(changes, sparing: verb.file)
            return ImportTarget(store: store, verb: verb, document: document)
        } catch let error as StoreError
            where error.code == .notFound && verb.store.model == nil && verb.scope.parent == nil
        {
            let path = try verb.store.store.path()
            let model = try inferredModel(for: verb, document: document, path: path)
            let store =
                try verb.dryRun
                ? Store.inMemory(model: model) : CreatableStoreOptions.open(path, model: model)
            return ImportTarget(store: store, verb: verb, document: document)
        }
    }

    // MARK: Inference

    private static func inferredModel(
        for verb: ImportVerb,
        document: DocumentFile,
        path: String
    ) throws -> Model {
        try ModelVerb.Infer.check(entity: verb.into, option: "--into")
        var inference = ModelInference()
        let list = try document.withItems(root: verb.root) { items in
            try inference.add(&items, from: document.name, entity: verb.into, root: verb.root)
        }
        guard list.count > 0 else {
            throw Failure(
                .notFound,
                "There is no store at \(path), and no model can be inferred from an empty list. "
                    + modelHint
            )
        }
        let inferred = try inference.result()
        guard let entity = inferred.model[verb.into],
            !inferred.model.primaryKey(of: entity).isEmpty
        else {
            let lists = try document.listsOfOnlyObject(root: verb.root, depth: 4)
            guard lists.isEmpty else {
                throw envelope(
                    of: document,
                    lists: lists,
                    for: verb,
                    result: "no model was inferred and nothing was imported"
                )
            }
            throw Failure(
                .data,
                "There is no store at \(path), and no model can be inferred: no member of the "
                    + "objects is certainly the primary key of \(verb.into). \(modelHint)"
            )
        }
        try inferred.model.validate()
        if !verb.output.quiet {
            Console.log(
                inferred.model.announcement(of: path, from: "the document", isDryRun: verb.dryRun)
            )
            for note in inferred.notes where note.needsReview { Console.log(note.description) }
        }
        return inferred.model
    }

    private static let modelHint =
        "Pass a model with --model PATH; `tidemark model infer` prints one for sample JSON."

    /// Returns the error for a document that is an object with the intended list inside it.
    private static func envelope(
        of document: DocumentFile,
        lists: [String],
        for verb: ImportVerb,
        result: String,
        reason: String = ""
    ) -> Failure {
        let paths = lists.prefix(3).map { name in
            [verb.root, name].compactMap(\.self).joined(separator: ".")
        }
        let roots = paths.map { "--root \($0)" }.joined(separator: " or ")
        return Failure(
            .data,
            "\(document.name) is one object with \(paths.count == 1 ? "a list" : "lists") under "
                + "\(paths.joined(separator: " and ")), so \(result). Import the list with \(roots)."
                + reason
        )
    }

    // MARK: Checks of the report

    /// Checks that the document was not an object with the intended list inside it.
    ///
    /// In that case nothing has been stored, because the outer object has no usable key.
    func checkForEnvelope(_ report: ImportReport) throws {
        guard report.isUnchanged, report.entities[verb.into]?.skipped == 1 else { return }
        let lists = try document.listsOfOnlyObject(root: verb.root)
        guard !lists.isEmpty else { return }
        throw Self.envelope(
            of: document,
            lists: lists,
            for: verb,
            result: "nothing was imported",
            reason: " The object itself has no usable primary key of \(verb.into)."
        )
    }

    /// Checks that an object was stored, unless the document has none.
    ///
    /// - Throws: ``Failure`` if all objects were skipped; the report, which has been printed, says
    ///   why.
    func checkForStoredObject(_ report: ImportReport) throws {
        guard report.hasStoredNothing else { return }
        throw Failure(
            .data,
            "\(document.name): no object could be stored as \(verb.into). Correct the document, or "
                + "the primary key and the required properties of \(verb.into) in the model."
        )
    }

    /// Prints how many rows were deleted because the document does not contain them.
    ///
    /// Prints nothing if the operations do not include deletion. The only rows that are deleted
    /// then are rows without a key that were part of another object.
    func logDeletions(in report: ImportReport) throws {
        let counts = report.entities[verb.into] ?? ImportReport.Counts()
        guard counts.deleted > 0, try deletesUnlisted else { return }
        let left = try store.read { db in try db.count(verb.into) }
        let before = verb.dryRun ? left : left + counts.deleted - counts.inserted
        Console.log(
            "\(counts.deleted) of \(before) rows of \(verb.into) "
                + "\(verb.dryRun ? "would be" : "were") deleted, as the document does not list "
                + "them. --operations upsert keeps such rows."
        )
    }

    /// Prints how many rows were kept although the document does not contain them, because the
    /// store belongs to a service.
    func logUnlisted(in report: ImportReport) {
        guard let count = report.unlistedRowCount else { return }
        Console.log(
            "\(count.counted("row")) of \(verb.into) \(count == 1 ? "is" : "are") not in the document, "
                + "and \(verb.dryRun ? "would be" : count == 1 ? "was" : "were") kept: the document is not "
                + "a list of the service. --operations all deletes such rows, at the service as well "
                + "if the store pushes."
        )
    }

    /// Whether the operations include the deletion of rows that the document does not contain.
    private var deletesUnlisted: Bool {
        get throws {
            if let operations = verb.operations { return operations.value.contains(.delete) }
            guard !verb.origin.fromService else { return false }
            return try !store.read { reader in try store.mirrorsService(reader.db) }
        }
    }
}
