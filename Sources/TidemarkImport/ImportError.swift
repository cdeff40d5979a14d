import TidemarkModel

public import protocol Foundation.LocalizedError

/// An error that prevents a document from being imported, or a row from being exported.
///
/// An import in a transaction of its own that throws it has changed nothing.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// New kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case needsParent, ambiguousParent, invalidRow, unknownSession, tooManyObjects, tooDeep
            case unwritableValue, parentDeleted
        }
        private let kind: Kind

        /// The entity has no primary key: its objects can only be imported as the children of a
        /// row.
        public static let needsParent = Code(kind: .needsParent)
        /// No relationship, or more than one, leads from the parent to the entity.
        public static let ambiguousParent = Code(kind: .ambiguousParent)
        /// An object or value is invalid, and the options say to abort the import.
        public static let invalidRow = Code(kind: .invalidRow)
        /// There is no import session of this name, or it was started for another entity or by
        /// another run.
        ///
        /// Also thrown when no deletion is pending for a list.
        public static let unknownSession = Code(kind: .unknownSession)
        /// The parent row of a list was deleted while the list was read.
        public static let parentDeleted = Code(kind: .parentDeleted)
        /// A row to be exported has more embedded objects than `Limits.exportedObjects`.
        public static let tooManyObjects = Code(kind: .tooManyObjects)
        /// The objects embedded in a row to be exported are nested deeper than `Limits.json.depth`.
        public static let tooDeep = Code(kind: .tooDeep)
        /// A row to be exported has a value that JSON cannot represent, such as infinity.
        public static let unwritableValue = Code(kind: .unwritableValue)
    }

    /// The kind of failure.
    public var code: Code

    /// The failure in one sentence, including the row, value or list it is about.
    public var message: String

    /// A suggestion for fixing the failure.
    public var hint: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, followed by the hint.
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
