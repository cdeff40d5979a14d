/// A condition that does not stop a pull, but may require a change of the configuration: the pull
/// is slower or less complete than intended, or a setting was recognized automatically.
///
/// Examples are a service that rejects the request for changes, so that the whole list is read each
/// time, and parents whose lists the service does not have. Warnings that depend on the
/// configuration alone are available when the engine is created (``SyncEngine/warnings``).
/// ``SyncReport/ResourceReport/warnings`` contains these, and those that depend on responses. Log
/// them; a user cannot resolve them.
///
/// ```swift
/// let report = try await engine.pull()
/// for warning in report.resources.values.flatMap(\.warnings) {
///     logger.warning("\(warning)")
/// }
/// ```
public struct SyncWarning: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a condition; new kinds may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case changesNotUsed, changesRejected, changesIncomplete, noCursor, pagesRecognized
            case listsNotFound, listsFailed, parentsNotPulled
        }
        private let kind: Kind

        /// Changes are not requested, because deletions at the service would not be noticed.
        package static let changesNotUsed = Code(kind: .changesNotUsed)
        /// The service rejects the request for changes.
        package static let changesRejected = Code(kind: .changesRejected)
        /// The response to the request for changes lacks changes.
        package static let changesIncomplete = Code(kind: .changesIncomplete)
        /// No response contains what changes are requested since: a time stamp or an entity tag.
        package static let noCursor = Code(kind: .noCursor)

        /// The first response of a list has shown how the list continues.
        package static let pagesRecognized = Code(kind: .pagesRecognized)

        /// The service does not have the lists of some parents; their rows are kept.
        package static let listsNotFound = Code(kind: .listsNotFound)
        /// The lists of several parents could not be read; the reported failure is that of the
        /// first.
        package static let listsFailed = Code(kind: .listsFailed)

        /// The lists of a resource were not requested, because the resource of their parents
        /// failed; the reported failure is that of the parents' resource.
        package static let parentsNotPulled = Code(kind: .parentsNotPulled)

        /// The name of the kind, such as `changesRejected`.
        package var description: String { kind.rawValue }
    }

    /// The kind of the condition.
    package var code: Code

    /// The path of the resource, such as `films`.
    public var resource: String

    /// What was found, and how to resolve it, as a clause that follows ``resource``.
    ///
    /// The text names options as in `tidemark.yml`: `delta` is `ResourceStyle.delta`, and so on.
    public var message: String

    /// Creates a warning.
    package init(_ code: Code, resource: String, _ message: String) {
        self.code = code
        self.resource = resource
        self.message = message
    }

    /// The path of the resource, followed by the message.
    public var description: String { "\(resource): \(message)" }
}
