/// A condition that does not stop a pull, and that should be known when it is configured: it is
/// slower or less complete than intended, or something was recognized.
///
/// Warnings that a configuration causes by itself are also known when the engine is created
/// (``SyncEngine/warnings``); ``SyncReport/ResourceReport/warnings`` has these, and those that
/// responses reveal.
public struct SyncWarning: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a condition; new kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case changesNotUsed, changesRejected, changesIncomplete, noCursor, pagesRecognized
            case listsNotFound, listsFailed, parentsNotPulled
        }
        private let kind: Kind

        /// Changes are not requested, because rows that the service deletes would not be noticed.
        public static let changesNotUsed = Code(kind: .changesNotUsed)
        /// The service rejects the request for changes.
        public static let changesRejected = Code(kind: .changesRejected)
        /// The answer to the request for changes lacks changes.
        public static let changesIncomplete = Code(kind: .changesIncomplete)
        /// No answer has what changes are requested from: a stamp, or an entity tag.
        public static let noCursor = Code(kind: .noCursor)

        /// The first response of a list has shown how it continues.
        public static let pagesRecognized = Code(kind: .pagesRecognized)

        /// The service does not have the lists of some parents; their rows are kept.
        public static let listsNotFound = Code(kind: .listsNotFound)
        /// The lists of several parents could not be read; the failure is that of the first.
        public static let listsFailed = Code(kind: .listsFailed)

        /// The lists of a resource were not requested, because the resource of their parents
        /// failed; the failure is that of the other.
        public static let parentsNotPulled = Code(kind: .parentsNotPulled)

        /// The name of the kind, such as `changesRejected`.
        public var description: String { kind.rawValue }
    }

    /// The kind of the condition.
    public var code: Code

    /// The path of the resource.
    public var resource: String

    /// What was found, and what to do about it.
    public var message: String

    /// Creates a warning.
    public init(_ code: Code, resource: String, _ message: String) {
        self.code = code
        self.resource = resource
        self.message = message
    }

    /// The resource and the message.
    public var description: String { "\(resource): \(message)" }
}
