/// How an import goes about its document.
public struct ImportOptions: Sendable, Hashable {
    /// What the import may do to rows and links.
    public var operations: ImportOperations

    /// What becomes of references to rows that are not stored.
    public var unresolved: UnresolvedReferencePolicy

    /// What happens to values that do not convert or break a rule of the model.
    public var invalid: InvalidValuePolicy

    /// Whether diagnostics show the offending values.
    public var showsValues: Bool

    /// Creates options; the defaults are those of a full import.
    public init(
        operations: ImportOperations = .all,
        unresolved: UnresolvedReferencePolicy = .hold,
        invalid: InvalidValuePolicy = .skip,
        showsValues: Bool = false
    ) {
        self.operations = operations
        self.unresolved = unresolved
        self.invalid = invalid
        self.showsValues = showsValues
    }
}

/// What an import does with references to rows that are not stored when the whole document was
/// read.
///
/// ```swift
/// // References to companies that are never imported are not stored.
/// let options = ImportOptions(unresolved: .ignore)
/// ```
public enum UnresolvedReferencePolicy: String, Sendable, Hashable, CaseIterable {
    /// The reference is stored as unresolved, and becomes a link as soon as the row is inserted.
    case hold

    /// The reference is not stored. An existing link of the relationship is left unchanged.
    case ignore
}

/// What an import does with a value that does not convert to its attribute's type, or that breaks a
/// rule of the model: a minimum, a maximum, a length, a regular expression, null in a required
/// attribute.
///
/// Each such value is reported in a `Diagnostic`; under ``abort`` the error names the first. An
/// object without a usable primary key is skipped, and ends the import under ``abort``.
///
/// ```swift
/// // An unknown status becomes null; the other attributes of the row are updated.
/// let options = ImportOptions(invalid: .null, showsValues: true)
/// let report = try importer.import(&items, into: "Order", options: options)
/// ```
public enum InvalidValuePolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// A value that does not convert is left out: the row keeps the value that it has. A row whose
    /// values break a rule is not written.
    case skip

    /// Null is stored. A required attribute keeps its value, and gets its default in a new row.
    case null

    /// The attribute's default value is stored, else null as with ``null``.
    case `default`

    /// The row is not written: one that is stored keeps all its values.
    case skipRow = "skip-row"

    /// The import ends with ``ImportError/Code/invalidRow``, and nothing is changed. A pull ends
    /// the resource: pages that were applied before stay.
    case abort

    /// Whether values that break a rule are replaced before the row is written.
    var replacesValues: Bool {
        switch self {
        case .null, .default: true
        case .skip, .skipRow, .abort: false
        }
    }
}

/// What an import may do.
///
/// The first three are about the rows that the document's items name; the others about the rows
/// nested in them. A nested object of a to-one relationship is always stored, and so are
/// references.
public struct ImportOperations: OptionSet, Sendable, Hashable {
    /// The flags, one bit each.
    public let rawValue: Int

    /// Creates a set of operations.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// New rows are inserted.
    public static let insert = ImportOperations(rawValue: 1)
    /// Rows that are there are updated.
    public static let update = ImportOperations(rawValue: 2)
    /// Rows in scope that the document does not name are deleted.
    public static let delete = ImportOperations(rawValue: 4)
    /// New rows nested in a to-many relationship are inserted.
    public static let insertRelationships = ImportOperations(rawValue: 8)
    /// Rows nested in a to-many relationship are updated.
    public static let updateRelationships = ImportOperations(rawValue: 16)
    /// Rows that have left a one-to-many list are deleted; without it they are only unlinked.
    public static let deleteRelationships = ImportOperations(rawValue: 32)

    /// Everything.
    public static let all: ImportOperations = [
        .insert, .update, .delete, .insertRelationships, .updateRelationships,
        .deleteRelationships,
    ]

    /// Everything but deletions.
    public static let upsert: ImportOperations = [
        .insert, .update, .insertRelationships, .updateRelationships,
    ]

    /// The same operations for the objects nested in a to-many relationship.
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
