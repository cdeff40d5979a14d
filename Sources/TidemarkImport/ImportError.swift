import TidemarkModel

public import protocol Foundation.LocalizedError

/// An error that prevents a document from being imported, or a row from being exported.
///
/// Invalid values and objects are not errors: they are diagnostics of the ``ImportReport``, unless
/// the options contain ``InvalidValuePolicy/abort``. An import in a transaction of its own that
/// throws has changed nothing; in a transaction of the caller, roll that back.
///
/// ```swift
/// do {
///     _ = try importer.import(&items, into: "Comment")
/// } catch let error as ImportError where error.code == .needsParent {
///     print(error)  // the message, and what to do
/// }
/// ```
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that handles some failures in a special way.
    ///
    /// Compare it with the constants; there is no list of all kinds, as new ones may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case needsParent, ambiguousParent, invalidRow, unknownSession, noPendingDeletion
            case tooManyObjects, tooDeep, unwritableValue, parentDeleted, unreadableSource
            case nothingStored
        }
        private let kind: Kind

        /// The entity has no primary key: its objects can only be imported as the children of a
        /// row.
        ///
        /// Thrown before anything is read. Declare a primary key in the model, or pass
        /// ``ImportScope/children(of:relationship:)``.
        public static let needsParent = Code(kind: .needsParent)
        /// No relationship, or more than one, leads from the parent to the entity.
        ///
        /// Thrown before anything is read. The hint lists the relationships to choose from.
        public static let ambiguousParent = Code(kind: .ambiguousParent)
        /// An object or value is invalid, and the options say to abort the import.
        ///
        /// Only thrown with ``InvalidValuePolicy/abort``, and where one object is imported. The
        /// message contains entity, key and path of the value.
        public static let invalidRow = Code(kind: .invalidRow)
        /// The source of an import is not a file, or cannot be opened.
        public static let unreadableSource = Code(kind: .unreadableSource)
        /// There is no import session of this name, or it was started for another entity or by
        /// another run.
        ///
        /// Start the session again with ``Importer/begin(_:_:)`` and apply its pages from the
        /// first.
        public static let unknownSession = Code(kind: .unknownSession)
        /// No deletion of the list is pending that could be approved or rejected.
        ///
        /// Another process may have approved it. ``Importer/pendingDeletions(_:)`` returns those
        /// that are pending.
        public static let noPendingDeletion = Code(kind: .noPendingDeletion)
        /// The parent row of a list was deleted while the list was read.
        ///
        /// Only thrown in a pull of a resource that has one list for each parent.
        public static let parentDeleted = Code(kind: .parentDeleted)
        /// No object of a list could be stored, for example because the model reads their keys from
        /// the wrong member.
        ///
        /// It is the failure of a resource in the report of a pull, and quotes the most frequent
        /// reason. No row is deleted, and the list is read again by the next pull.
        public static let nothingStored = Code(kind: .nothingStored)
        /// A row to be exported has more embedded objects than `Limits.exportedObjects`.
        ///
        /// Export it with ``ExportOptions/Relationships/ids``, or raise the limit.
        public static let tooManyObjects = Code(kind: .tooManyObjects)
        /// The objects embedded in a row to be exported are nested deeper than `Limits.json.depth`.
        ///
        /// Thrown for a single row only: in a list, such rows are written as their keys.
        public static let tooDeep = Code(kind: .tooDeep)
        /// A row to be exported has a value that JSON cannot represent, such as infinity.
        ///
        /// RFC 8259, section 6, permits finite numbers only.
        public static let unwritableValue = Code(kind: .unwritableValue)
    }

    /// The kind of failure.
    ///
    /// ```swift
    /// do {
    ///     try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
    /// } catch let error as ImportError where error.code == .unknownSession {
    ///     try store.writer.write { db in try importer.begin(db, session) }
    /// }
    /// ```
    public var code: Code

    /// The failure in one sentence, including the row, value or list it is about.
    public var message: String

    /// A sentence that suggests how to fix the failure; nil if there is no general advice.
    public var hint: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, followed by the hint, for logs and error dialogs.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }

    static func needsParent(_ entity: String) -> ImportError {
        ImportError(
            .needsParent,
            "The model’s entity \(entity) has no primary key, so its objects cannot be matched with "
                + "rows.",
            hint:
                "Declare one: \(Model.primaryKeyHint). Or import the objects as the children of a "
                + "row."
        )
    }
}

extension ImportError: LocalizedError {
    /// The same text as ``description``; it is what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
