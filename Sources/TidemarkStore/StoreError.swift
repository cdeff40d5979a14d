public import protocol Foundation.LocalizedError

/// An error from opening a store, or from finding or writing a row.
///
/// Compare its ``code`` to handle a failure, and show its ``description`` to users: it says what
/// failed, where, and what to do. A failed write changes nothing: its transaction is rolled back.
///
/// ```swift
/// do {
///     try store.write { writer in try writer.delete(RecordLocator("User:6")) }
/// } catch let error as StoreError where error.code == .rowNotFound {
///     print(error.message)   // The store has no row User:6.
/// }
/// ```
///
/// Errors of SQLite are not wrapped: a full disk, a locked database or a violated constraint is
/// thrown as GRDB's `DatabaseError`.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, to be compared with the static properties.
    ///
    /// It is not an enum, because later versions may add codes: a `switch` over codes needs a
    /// `default`.
    ///
    /// ```swift
    /// do {
    ///     _ = try Store.open(at: path, model: model)
    /// } catch let error as StoreError {
    ///     switch error.code {
    ///     case .permissionDenied, .cannotCreate: print(error.hint ?? error.message)
    ///     case .migrationRejected, .damaged: print("Pull into a new store.")
    ///     default: throw error
    ///     }
    /// }
    /// ```
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notFound, notAStore, unreadable, migrationRejected, unknownEntity, rowNotFound
            case invalidLocator, invalidValue, deletionDenied, duplicate
            case cannotCreate, outdated, unknownAttribute, damaged, permissionDenied
            case dependentChange, unpushedChanges, notLoaded, typeMismatch
        }
        private let kind: Kind

        /// No store exists at the path, or the file is empty, and no model was given to create one.
        ///
        /// Nothing is created. It is also thrown for an app's database without a store.
        public static let notFound = Code(kind: .notFound)

        /// The path is not that of a store, or an app's database has a table whose name the model
        /// needs.
        ///
        /// A folder, a pipe, a file that is not a SQLite database, and a SQLite database of another
        /// application are not changed. For a database of your own, use
        /// ``Store/adopt(_:model:environment:willMigrate:)``.
        public static let notAStore = Code(kind: .notAStore)

        /// The store has a format or a model that this version of Tidemark cannot read.
        ///
        /// Another version of Tidemark wrote it, or its model was damaged. If the version was
        /// newer, update Tidemark, or pull into a new store; if it was older, push the store's
        /// changes with that version first. The store is unchanged.
        public static let unreadable = Code(kind: .unreadable)

        /// The store cannot be migrated to the model without losing data; it is unchanged.
        ///
        /// The message has the first rejection. ``Store/dryRunMigration(to:unpushedChanges:)``
        /// returns all of them.
        public static let migrationRejected = Code(kind: .migrationRejected)

        /// The model has no entity of this name; the hint lists those that it has.
        ///
        /// Names are case-sensitive.
        public static let unknownEntity = Code(kind: .unknownEntity)

        /// The store has no such row.
        ///
        /// Reading, updating or deleting a row throws it, and so does a link to a row that is not
        /// stored. ``StoreReader/rowReference(for:)`` returns nil instead.
        public static let rowNotFound = Code(kind: .rowNotFound)

        /// A relationship of a record was read that its request did not load.
        ///
        /// Request it: `User.including(\.notes)`. ``Many/get()`` and ``One/get()`` throw it.
        public static let notLoaded = Code(kind: .notLoaded)

        /// A record type has a property that its entity in the store lacks, or a property that
        /// cannot have all of the entity's values.
        ///
        /// Open the store with the model of the type, or change the type. The message names both.
        public static let typeMismatch = Code(kind: .typeMismatch)

        /// The text does not identify a row.
        ///
        /// It has neither of the forms `User:6` and `User#12`, its key does not match the types of
        /// the primary key, or the entity has no primary key.
        public static let invalidLocator = Code(kind: .invalidLocator)

        /// A sort key names an attribute that the entity does not have, or leads through a to-many
        /// relationship.
        ///
        /// A write of an unknown attribute throws ``invalidValue``, a predicate with one
        /// ``RecordPredicateError``.
        public static let unknownAttribute = Code(kind: .unknownAttribute)

        /// A value or a link does not match the model.
        ///
        /// A name is unknown, a value does not convert to the type of its attribute, a required
        /// value is missing, a value violates a validation rule (minimum, maximum or pattern), the
        /// entity is abstract, or a link leads to a row of another entity.
        public static let invalidValue = Code(kind: .invalidValue)
        /// A delete rule of the model (`deny`) prevents the deletion, and nothing is deleted.
        public static let deletionDenied = Code(kind: .deletionDenied)

        /// A local change cannot be discarded alone: it refers to a row that was deleted locally.
        ///
        /// The message names the row. Discard its deletion first. Nothing is changed.
        public static let dependentChange = Code(kind: .dependentChange)

        /// The operation would lose local changes that were not pushed.
        ///
        /// Nothing is changed. Push the changes first, or pass ``UnpushedChangePolicy/discard``.
        public static let unpushedChanges = Code(kind: .unpushedChanges)

        /// Tables of the store are missing or have invalid contents.
        ///
        /// Another program changed them, or the file is corrupt. Restore a backup, or pull into a
        /// new store.
        public static let damaged = Code(kind: .damaged)

        /// The file is not readable, or SQLite cannot write to it or to its folder.
        ///
        /// The folder must be writable for the write-ahead log (WAL). Use
        /// ``Store/openReadOnly(at:)`` to read only.
        public static let permissionDenied = Code(kind: .permissionDenied)

        /// Another row has the same primary key, or the same value of a unique attribute.
        ///
        /// The message names that row. To insert or update (upsert) an object, import it, or use
        /// ``StoreReader/rowReference(for:)`` first.
        public static let duplicate = Code(kind: .duplicate)
        /// The file cannot be created at the path: its folder must exist and be writable.
        public static let cannotCreate = Code(kind: .cannotCreate)

        /// The store has been migrated since it was opened, by this process or another one.
        ///
        /// Open it again: the tables may have changed, so this value neither reads nor writes rows
        /// any more.
        public static let outdated = Code(kind: .outdated)
    }

    /// The kind of failure, for code that handles it.
    public var code: Code

    /// A sentence that describes the failure and names the store, row or property.
    public var message: String

    /// A suggestion for fixing the problem; nil without one.
    public var hint: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message followed by the hint, for users and logs.
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

    static func notLoaded(_ entity: String) -> StoreError {
        StoreError(
            .notLoaded,
            "The linked rows of \(entity) were not loaded.",
            hint: "Request them with including(_:)."
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
