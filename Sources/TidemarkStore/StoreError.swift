public import protocol Foundation.LocalizedError

/// An error from opening a store, or from finding or writing a row.
///
/// Errors of SQLite are not wrapped: they are thrown as GRDB's `DatabaseError`.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Later versions may add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notFound, notAStore, unreadable, migrationRejected, unknownEntity, rowNotFound
            case invalidReference, invalidValue, denied, duplicate, cannotCreate, outdated
            case unknownAttribute, damaged, notPermitted
        }
        private let kind: Kind

        /// No store exists at the path, or the file is empty, and no model was given to create one.
        public static let notFound = Code(kind: .notFound)
        /// The path is not that of a store, or an app's database has a table whose name the model
        /// needs.
        public static let notAStore = Code(kind: .notAStore)
        /// The store has a format or a model that this version of Tidemark cannot read.
        public static let unreadable = Code(kind: .unreadable)
        /// The store cannot be migrated to the model without losing data.
        public static let migrationRejected = Code(kind: .migrationRejected)
        /// The model has no entity of this name.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// The store has no such row.
        public static let rowNotFound = Code(kind: .rowNotFound)
        /// The text does not identify a row.
        public static let invalidReference = Code(kind: .invalidReference)
        /// The entity has no such attribute.
        public static let unknownAttribute = Code(kind: .unknownAttribute)
        /// A value or a link does not match the model.
        public static let invalidValue = Code(kind: .invalidValue)
        /// A delete rule of the model prevents the deletion.
        public static let denied = Code(kind: .denied)
        /// Tables of the store are missing or have invalid contents.
        public static let damaged = Code(kind: .damaged)
        /// The file is not readable, or SQLite cannot write to it or to its folder.
        public static let notPermitted = Code(kind: .notPermitted)
        /// Another row has the same primary key, or the same value of a unique attribute.
        public static let duplicate = Code(kind: .duplicate)
        /// The file cannot be created at the path.
        public static let cannotCreate = Code(kind: .cannotCreate)
        /// The store has been migrated since it was opened, and must be opened again.
        public static let outdated = Code(kind: .outdated)
    }

    /// The kind of failure.
    public var code: Code

    /// A sentence that describes the failure and names the store, row or property.
    public var message: String

    /// A suggestion for fixing the problem.
    public var hint: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message followed by the hint.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }

    static func unknownEntity(_ name: String, known: [String]) -> StoreError {
        StoreError(
            .unknownEntity,
            "The model has no entity \(name).",
            hint: "It has \(known.sorted().joined(separator: ", "))."
        )
    }

    /// Returns the error for a store whose own tables were changed by another program or damaged.
    package static func damaged(_ problem: String, at location: String? = nil) -> StoreError {
        StoreError(
            .damaged,
            "The store\(location.map { " \($0)" } ?? "") is damaged: \(problem).",
            hint: "Restore a backup, or pull into a new store."
        )
    }

    static func rowNotFound(_ reference: String) -> StoreError {
        StoreError(.rowNotFound, "The store has no row \(reference).")
    }
}

extension StoreError: LocalizedError {
    /// The same as ``StoreError/description``; `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
