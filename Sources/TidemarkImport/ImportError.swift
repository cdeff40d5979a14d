import TidemarkModel

public import protocol Foundation.LocalizedError

/// Why a document cannot be imported, or a row exported; nothing is changed then.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case needsParent, ambiguousParent, invalidRow, unknownWalk, tooManyObjects, tooDeep
            case unwritableValue, parentDeleted
        }
        private let kind: Kind

        /// The entity has no primary key, so its objects can only be imported as a row's children.
        public static let needsParent = Code(kind: .needsParent)
        /// No relationship, or more than one, leads from the parent to the entity.
        public static let ambiguousParent = Code(kind: .ambiguousParent)
        /// A row breaks a rule of the model, and the options say to give up then.
        public static let invalidRow = Code(kind: .invalidRow)
        /// There is no such walk, or it was begun for another entity or by another run.
        public static let unknownWalk = Code(kind: .unknownWalk)
        /// The row whose children a list has was deleted while the list was read.
        public static let parentDeleted = Code(kind: .parentDeleted)
        /// A row to be exported has too many others embedded in it.
        public static let tooManyObjects = Code(kind: .tooManyObjects)
        /// What a row to be exported leads to is nested deeper than an import would read.
        public static let tooDeep = Code(kind: .tooDeep)
        /// A row to be exported has a value that JSON has no word for, such as infinity.
        public static let unwritableValue = Code(kind: .unwritableValue)
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
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
