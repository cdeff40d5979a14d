/// How an import goes about its document.
public struct ImportOptions: Sendable, Hashable {
    /// What the import may do to rows and links.
    public var operations: ImportOperations

    /// What becomes of references to rows that are not stored.
    public var unresolved: Unresolved

    /// What becomes of a row that cannot be stored.
    public var invalid: Invalid

    /// Whether diagnostics show the offending values.
    public var showsValues: Bool

    /// Creates options; the defaults are those of a full import.
    public init(
        operations: ImportOperations = .all,
        unresolved: Unresolved = .hold,
        invalid: Invalid = .skip,
        showsValues: Bool = false
    ) {
        self.operations = operations
        self.unresolved = unresolved
        self.invalid = invalid
        self.showsValues = showsValues
    }

    /// What becomes of references to rows that are not stored when the document has been read.
    public enum Unresolved: String, Sendable, Hashable, CaseIterable {
        /// They are held, and linked when the row arrives.
        case hold
        /// They are forgotten; a link that was there stays.
        case ignore
    }

    /// What becomes of a row that breaks a rule of the model.
    public enum Invalid: String, Sendable, Hashable, CaseIterable {
        /// It is reported and left out; the others go in.
        case skip
        /// The whole import is given up, and nothing is changed.
        case abort
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
