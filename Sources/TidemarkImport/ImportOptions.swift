/// The settings of an import: what it may write and delete, and what happens to invalid values and
/// to references whose row is not stored.
///
/// The defaults are those of a full import, which makes the rows of the store equal to a complete
/// document. For a document that is not the complete list of its entity, such as one page or a
/// search result, choose the operations ``ImportOperations/upsert``, which delete nothing. In a
/// store that belongs to a service they are the default.
///
/// ```swift
/// let options = ImportOptions(operations: .upsert, invalid: .skipRow)
/// let report = try importer.import(&items, into: "User", options: options)
/// print(report.entities["User"]?.deleted ?? 0)  // 0
/// ```
///
/// A pull uses the options of its `PullOptions.importing`. If they change, except for
/// ``showsValues``, its next run reads all pages again.
public struct ImportOptions: Sendable, Hashable {
    /// The operations that the import may perform on rows and links; nil, the default, for the
    /// usual ones.
    ///
    /// The usual ones are ``ImportOperations/all``, which deletes the rows in scope that the
    /// document does not contain. In a store that belongs to a service or pushes, and for a
    /// document of the service (``origin``), they are ``ImportOperations/upsert``: a document that
    /// is not a list of the service proves no deletion, and what is deleted in the store would be
    /// deleted at the service. ``ImportReport/unlistedRowCount`` counts the rows that were kept for
    /// that reason. A pull deletes what the lists of the service lack.
    ///
    /// ```swift
    /// var options = ImportOptions()
    /// options.operations = [.update, .updateRelationships]  // refreshes rows, inserts none
    /// ```
    public var operations: ImportOperations?

    /// The policy for references to rows that are not stored.
    ///
    /// The default is ``UnresolvedReferencePolicy/deferred``: lists may be imported in any order,
    /// as a reference becomes a link when its row is inserted.
    public var unresolved: UnresolvedReferencePolicy

    /// The policy for values that do not convert to their attribute's type or break a rule of the
    /// model.
    ///
    /// The default is ``InvalidValuePolicy/skip``. Whatever the policy, invalid values are reported
    /// as diagnostics.
    public var invalid: InvalidValuePolicy

    /// Whether the document leaves out members that are null.
    ///
    /// The default is `false`: an item may be a part of its object, and a member that it lacks
    /// leaves its property unchanged. Many services leave out what is null, such as a Parse server,
    /// or one whose encoder has an option like `omitempty`. If it is true, an attribute that an
    /// item lacks gets its default, or null without one, and a to-one relationship is unlinked. So
    /// do the objects without a key that it contains. That does not apply to nested objects with a
    /// key, which are often incomplete, and to items that lack a required property, which are
    /// parts; nor to primary keys, to-many relationships, and properties that are not exportable:
    /// mark those that only the app has.
    ///
    /// ```swift
    /// var options = ImportOptions()
    /// options.omitsNulls = true
    /// // {"id": 1, "name": "Garden"}    row 1 has no date and no owner afterwards
    /// ```
    public var omitsNulls = false

    /// Where the document comes from; ``ImportOrigin/local`` by default.
    ///
    /// It also decides the default of ``operations``. In a store that pushes, what a local document
    /// changes is pushed, what the service has sent is not. A pull imports with
    /// ``ImportOrigin/service``.
    ///
    /// ```swift
    /// var options = ImportOptions(operations: .upsert)
    /// options.origin = .service    // the body of a push message
    /// ```
    public var origin = ImportOrigin.local

    /// Whether diagnostics contain the invalid values.
    ///
    /// The default is `false`, because reports are logged and values may be personal data. Values
    /// are truncated to `Limits.diagnosticValueBytes`.
    ///
    /// ```swift
    /// var options = ImportOptions()
    /// options.showsValues = true
    /// let report = try importer.import(&items, into: "Order", options: options)
    /// print(report.diagnostics[0].value ?? "")  // "n/a"
    /// ```
    public var showsValues = false

    /// Creates options.
    ///
    /// Set ``showsValues`` afterwards.
    ///
    /// - Parameters:
    ///   - operations: The permitted operations. Defaults to nil: see ``operations``.
    ///   - unresolved: What happens to references whose row is not stored; deferred by default.
    ///   - invalid: What is stored instead of an invalid value; by default, the row keeps its own.
    public init(
        operations: ImportOperations? = nil,
        unresolved: UnresolvedReferencePolicy = .deferred,
        invalid: InvalidValuePolicy = .skip
    ) {
        self.operations = operations
        self.unresolved = unresolved
        self.invalid = invalid
    }
}

extension ImportOptions {
    /// The permitted operations of a list that is read to its end.
    package var permitted: ImportOperations { operations ?? .all }
}

/// Where the document of an import comes from.
///
/// In a store that does not push, both are the same.
///
/// ```swift
/// var options = ImportOptions()
/// options.origin = .service
/// let report = try importer.import(&items, into: "Article", options: options)
/// ```
public enum ImportOrigin: String, Sendable, Hashable, CaseIterable {
    /// The user or the app: what the import changes is pushed to the service.
    case local

    /// The service: its objects are stored as a pull would store them, and not pushed.
    case service
}

/// The policy of an import for references to rows that are still not stored after the whole
/// document was read.
///
/// The foreign keys of a service may refer to objects that were not imported yet, or never will be.
/// Neither policy stops the import; ``ImportReport/unresolvedReferenceCount`` counts them.
///
/// ```swift
/// // References to companies that are never imported are not stored.
/// let options = ImportOptions(unresolved: .ignore)
/// ```
public enum UnresolvedReferencePolicy: String, Sendable, Hashable, CaseIterable {
    /// The reference is stored as unresolved, and becomes a link as soon as the row is inserted.
    ///
    /// The row may be inserted by another document, another list of a pull, or by the app. Use this
    /// policy, which is the default, if the entities of a service are imported one after another.
    case deferred = "hold"

    /// The reference is not stored. An existing link of the relationship is left unchanged.
    ///
    /// Use it for entities that are never imported in full. References within one document become
    /// links in any order, as the policy is applied after the document was read.
    case ignore
}

/// The policy of an import for a value that does not convert to its attribute's type, or that
/// breaks a rule of the model: a minimum, a maximum, a length, a regular expression, null in a
/// required attribute.
///
/// Each such value is reported as a `Diagnostic`; with ``abort``, the error contains the first one.
/// An object without a usable primary key is skipped, and ends the import with ``abort``.
///
/// ```swift
/// // An unknown status becomes null; the other attributes of the row are updated.
/// let options = ImportOptions(invalid: .null)
/// let report = try importer.import(&items, into: "Order", options: options)
/// ```
public enum InvalidValuePolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attribute is skipped: the row keeps its stored value, and a new row gets the default, or
    /// null.
    ///
    /// A row whose values break a rule is not written. This is the default.
    case skip

    /// Null is stored, for values that do not convert and for those that break a rule.
    ///
    /// A required attribute keeps its value, and gets its default in a new row. Use this policy if
    /// a stale value would be worse than none.
    case null

    /// The attribute's default value is stored; without a default, null, as with ``null``.
    ///
    /// Use it for attributes such as a status, whose default means that it is unknown.
    case `default`

    /// The row is not written: a stored row keeps all its values, and a new one is not inserted.
    ///
    /// The object is counted in ``ImportReport/Counts/skipped``. Its stored row is not deleted as
    /// unlisted. Use this policy if the values of a row belong together. On the command line its
    /// name is `skip-row`.
    case skipRow = "skip-row"

    /// The import fails with ``ImportError/Code/invalidRow`` and changes nothing.
    ///
    /// A pull ends the resource with that error; pages that were applied before stay. Use it in
    /// tests, and where an unexpected document should never be stored in part.
    ///
    /// ```swift
    /// let strict = ImportOptions(invalid: .abort)
    /// do {
    ///     _ = try importer.import(&items, into: "Order", options: strict)
    /// } catch let error as ImportError where error.code == .invalidRow {
    ///     print(error.message)
    /// }
    /// ```
    case abort

    /// Whether values that break a rule are replaced before the row is written.
    var replacesValues: Bool {
        switch self {
        case .null, .default: true
        case .skip, .skipRow, .abort: false
        }
    }
}

/// The operations that an import may perform: insert, update and delete.
///
/// The first three apply to the rows of the document's items, the others to the rows nested in
/// them. A nested object of a to-one relationship is written whenever the row that contains it is,
/// and so are references. Objects whose operation is not permitted are read, so that their rows
/// count as listed, and leave the store unchanged.
///
/// ```swift
/// let appendOnly: ImportOperations = [.insert, .insertRelationships]
/// let options = ImportOptions(operations: appendOnly)
/// ```
///
/// Their names are the values of the option `--operations` on the command line.
public struct ImportOperations: OptionSet, Sendable, Hashable {
    /// The operations as a bit mask.
    ///
    /// The bits are part of the API: ``insert`` is 1, ``deleteRelationships`` is 32.
    public let rawValue: Int

    /// Creates a set of operations from a bit mask.
    ///
    /// Prefer the named operations and literals of them, such as `[.insert, .update]`.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Inserts new rows for items whose primary key is not stored.
    ///
    /// Without it, an item is only used to update its row.
    public static let insert = ImportOperations(rawValue: 1)

    /// Updates the stored rows of items whose values differ.
    ///
    /// A member that an object lacks leaves its attribute unchanged, unless
    /// ``ImportOptions/omitsNulls`` is true; `null` clears it. Without this operation, rows that
    /// exist keep their values.
    public static let update = ImportOperations(rawValue: 2)

    /// Deletes rows in the import's scope that the document does not contain.
    ///
    /// Rows that an app inserted without a primary key are never deleted, nor rows that a `deny`
    /// rule protects, nor any row of an entity if the document contains an object of it without a
    /// usable key.
    ///
    /// ```swift
    /// let keepsRows = ImportOptions(operations: ImportOperations.all.subtracting(.delete))
    /// ```
    public static let delete = ImportOperations(rawValue: 4)

    /// Inserts new rows nested in a to-many relationship.
    ///
    /// Without it, only nested objects that are stored already are updated and linked.
    public static let insertRelationships = ImportOperations(rawValue: 8)

    /// Updates rows nested in a to-many relationship.
    ///
    /// Omit it if nested objects may be older than those of their own list.
    public static let updateRelationships = ImportOperations(rawValue: 16)

    /// Deletes rows that were removed from a one-to-many list.
    ///
    /// Without it they are only unlinked: the foreign key of the child becomes null. Rows without a
    /// primary key are part of the row that contains them, and are deleted in either case; a row
    /// whose key is unique within its parent only is kept instead of being unlinked.
    public static let deleteRelationships = ImportOperations(rawValue: 32)

    /// All operations: after the import, the rows in scope are those of the document.
    ///
    /// This is the default of ``ImportOptions`` in a store that does not belong to a service.
    public static let all: ImportOperations = [
        .insert, .update, .delete, .insertRelationships, .updateRelationships,
        .deleteRelationships,
    ]

    /// All operations except deletions: inserts rows or updates them by their primary key.
    ///
    /// Use it for a document that is not the complete list of its entity.
    ///
    /// ```swift
    /// let page = ImportOptions(operations: .upsert)
    /// let report = try importer.import(&items, into: "Article", options: page)
    /// ```
    public static let upsert: ImportOperations = [
        .insert, .update, .insertRelationships, .updateRelationships,
    ]

    /// The operations for objects nested in a to-many relationship, as operations on items.
    var nested: ImportOperations {
        var nested = intersection([
            .insertRelationships, .updateRelationships, .deleteRelationships,
        ])
        if contains(.insertRelationships) { nested.insert(.insert) }
        if contains(.updateRelationships) { nested.insert(.update) }
        if contains(.deleteRelationships) { nested.insert(.delete) }
        return nested
    }
}
