/// A condition that does not stop a pull, but may require a change of the configuration: the pull
/// is slower or less complete than intended, or a setting was recognized automatically.
///
/// Warnings that depend on the configuration alone are available when the engine is created
/// (``SyncEngine/warnings``). ``SyncReport/ResourceReport/warnings`` contains these, and those that
/// depend on responses.
public struct SyncWarning: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a condition; new kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case changesNotUsed, changesRejected, changesIncomplete, noCursor, pagesRecognized
            case listsNotFound, listsFailed, parentsNotPulled
        }
        private let kind: Kind

        /// Changes are not requested, because deletions at the service would not be noticed.
        public static let changesNotUsed = Code(kind: .changesNotUsed)
        /// The service rejects the request for changes.
        public static let changesRejected = Code(kind: .changesRejected)
        /// The response to the request for changes lacks changes.
        public static let changesIncomplete = Code(kind: .changesIncomplete)
        /// No response contains what changes are requested since: a time stamp or an entity tag.
        public static let noCursor = Code(kind: .noCursor)

        /// The first response of a list has shown how the list continues.
        public static let pagesRecognized = Code(kind: .pagesRecognized)

        /// The service does not have the lists of some parents; their rows are kept.
        public static let listsNotFound = Code(kind: .listsNotFound)
        /// The lists of several parents could not be read; the reported failure is that of the
        /// first.
        public static let listsFailed = Code(kind: .listsFailed)

        /// The lists of a resource were not requested, because the resource of their parents
        /// failed; the reported failure is that of the parents' resource.
        public static let parentsNotPulled = Code(kind: .parentsNotPulled)

        /// The name of the kind, such as `changesRejected`.
        public var description: String { kind.rawValue }
    }

    /// The kind of the condition.
    public var code: Code

    /// The path of the resource.
    public var resource: String

    /// What was found, and how to resolve it.
    public var message: String

    /// Creates a warning.
    public init(_ code: Code, resource: String, _ message: String) {
        self.code = code
        self.resource = resource
        self.message = message
    }

    /// The path of the resource, followed by the message.
    public var description: String { "\(resource): \(message)" }
}
