/// The settings of an import.
public struct ImportOptions: Sendable, Hashable {
    /// The operations that the import may perform on rows and links.
    ///
    /// The default is ``ImportOperations/all``.
    public var operations: ImportOperations

    /// The policy for references to rows that are not stored.
    ///
    /// The default is ``UnresolvedReferencePolicy/hold``.
    public var unresolved: UnresolvedReferencePolicy

    /// The policy for values that do not convert to their attribute's type or break a rule of the
    /// model.
    ///
    /// The default is ``InvalidValuePolicy/skip``.
    public var invalid: InvalidValuePolicy

    /// Whether diagnostics contain the invalid values.
    ///
    /// The default is `false`.
    public var showsValues: Bool

    /// Creates options.
    ///
    /// The defaults are those of a full import.
    public init(
        operations: ImportOperations = .all,
        unresolved: UnresolvedReferencePolicy = .deferred,
        invalid: InvalidValuePolicy = .skip,
        showsValues: Bool = false
    ) {
        self.operations = operations
        self.unresolved = unresolved
        self.invalid = invalid
        self.showsValues = showsValues
    }
}

/// The policy of an import for references to rows that are still not stored after the whole
/// document was read.
///
/// ```swift
/// // References to companies that are never imported are not stored.
/// let options = ImportOptions(unresolved: .ignore)
/// ```
public enum UnresolvedReferencePolicy: String, Sendable, Hashable, CaseIterable {
    /// The reference is stored as unresolved, and becomes a link as soon as the row is inserted.
    case deferred = "hold"

    /// The reference is not stored. An existing link of the relationship is left unchanged.
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
/// let options = ImportOptions(invalid: .null, showsValues: true)
/// let report = try importer.import(&items, into: "Order", options: options)
/// ```
public enum InvalidValuePolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attribute is skipped: the row keeps its stored value.
    ///
    /// A row whose values break a rule is not written.
    case skip

    /// Null is stored.
    ///
    /// A required attribute keeps its value, and gets its default in a new row.
    case null

    /// The attribute's default value is stored; without a default, null, as with ``null``.
    case `default`

    /// The row is not written: a stored row keeps all its values.
    case skipRow = "skip-row"

    /// The import fails with ``ImportError/Code/invalidRow`` and changes nothing.
    ///
    /// A pull ends the resource with that error; pages that were applied before stay.
    case abort

    /// Whether values that break a rule are replaced before the row is written.
    var replacesValues: Bool {
        switch self {
        case .null, .default: true
        case .skip, .skipRow, .abort: false
        }
    }
}

/// The operations that an import may perform.
///
/// The first three apply to the rows of the document's items, the others to the rows nested in
/// them. A nested object of a to-one relationship is written whenever the row that contains it is,
/// and so are references.
public struct ImportOperations: OptionSet, Sendable, Hashable {
    /// The operations as a bit mask.
    public let rawValue: Int

    /// Creates a set of operations.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Inserts new rows.
    public static let insert = ImportOperations(rawValue: 1)
    /// Updates existing rows.
    public static let update = ImportOperations(rawValue: 2)
    /// Deletes rows in the import's scope that the document does not contain.
    public static let delete = ImportOperations(rawValue: 4)
    /// Inserts new rows nested in a to-many relationship.
    public static let insertRelationships = ImportOperations(rawValue: 8)
    /// Updates rows nested in a to-many relationship.
    public static let updateRelationships = ImportOperations(rawValue: 16)
    /// Deletes rows that were removed from a one-to-many list.
    ///
    /// Without it they are only unlinked.
    public static let deleteRelationships = ImportOperations(rawValue: 32)

    /// All operations.
    public static let all: ImportOperations = [
        .insert, .update, .delete, .insertRelationships, .updateRelationships,
        .deleteRelationships,
    ]

    /// All operations except deletions.
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
