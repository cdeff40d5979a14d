public import protocol Foundation.LocalizedError

/// Why a store cannot be opened, or a row cannot be found or written.
///
/// SQLite's own errors are not translated: a `DatabaseError` stays one.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notFound, notAStore, unreadable, migrationRefused, unknownEntity, rowNotFound
            case invalidReference, invalidValue, denied, duplicate, cannotCreate, outdated
            case unknownAttribute, damaged, notPermitted
        }
        private let kind: Kind

        /// There is no store at the path, and no model to make one with.
        public static let notFound = Code(kind: .notFound)
        /// What is at the path is not a store.
        public static let notAStore = Code(kind: .notAStore)
        /// The store was made by a Tidemark this one does not understand.
        public static let unreadable = Code(kind: .unreadable)
        /// The store cannot be brought to the model without losing data.
        public static let migrationRefused = Code(kind: .migrationRefused)
        /// The model has no such entity, or it has no rows of its own.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// The store has no such row.
        public static let rowNotFound = Code(kind: .rowNotFound)
        /// The text names no row.
        public static let invalidReference = Code(kind: .invalidReference)
        /// The entity has no such attribute.
        public static let unknownAttribute = Code(kind: .unknownAttribute)
        /// A value or a link does not fit the model.
        public static let invalidValue = Code(kind: .invalidValue)
        /// A delete rule of the model forbids the deletion.
        public static let denied = Code(kind: .denied)
        /// Tables of the store are missing, or hold what cannot be theirs.
        public static let damaged = Code(kind: .damaged)
        /// The file may not be read, or SQLite may not write in its folder.
        public static let notPermitted = Code(kind: .notPermitted)
        /// Another row has the key, or a value that must be unique.
        public static let duplicate = Code(kind: .duplicate)
        /// No file can be made at the path.
        public static let cannotCreate = Code(kind: .cannotCreate)
        /// The store has been migrated since it was opened, and must be opened again.
        public static let outdated = Code(kind: .outdated)
    }

    /// What kind of failure it is.
    public var code: Code

    /// What is the matter, in a sentence that names the place.
    public var message: String

    /// What to do about it.
    public var hint: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, and what to do about it.
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

    /// The error of a store whose own tables another program has changed, or a disk has damaged.
    package static func damaged(_ place: String?, _ problem: String) -> StoreError {
        StoreError(
            .damaged,
            "The store\(place.map { " \($0)" } ?? "") is damaged: \(problem).",
            hint: "Restore a backup, or pull into a new store."
        )
    }

    static func rowNotFound(_ reference: String) -> StoreError {
        StoreError(.rowNotFound, "The store has no row \(reference).")
    }
}

extension StoreError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
