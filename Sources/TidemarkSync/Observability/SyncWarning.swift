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
    ///
    /// Compare it with the kinds that the app handles, and log the others.
    ///
    /// ```swift
    /// let rereadAlways = engine.warnings.filter { $0.code == .changesNotUsed }
    /// print("Read completely by each pull:", rereadAlways.map(\.resource))
    /// ```
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case changesNotUsed, changesRejected, changesIncomplete, noCursor, pagesRecognized
            case endAssumed, listsNotFound, listsFailed, parentsNotPulled
        }
        private let kind: Kind

        /// Changes are not requested, because deletions at the service would not be noticed.
        ///
        /// It follows from the configuration: ``SyncEngine/warnings`` contains it. Each pull reads
        /// the whole list. Configure how the list reports deletions (`ResourceStyle.deletes`).
        public static let changesNotUsed = Code(kind: .changesNotUsed)

        /// The service rejects the request for changes.
        ///
        /// The whole list was read instead. After two such pulls in a row, changes are not
        /// requested any more, until the configuration changes or a full pull succeeds
        /// (``PullOptions/isFull``). Correct `ResourceStyle.delta`, or set it to `.none`.
        public static let changesRejected = Code(kind: .changesRejected)

        /// The response to the request for changes lacks changes.
        ///
        /// It lacks an object that changed since the cursor, or its total counts more than changes:
        /// the parameter does not mean “since”, or `ResourceStyle.total` should be `.none`. What
        /// follows is the same as for ``changesRejected``.
        public static let changesIncomplete = Code(kind: .changesIncomplete)

        /// No response contains what changes are requested since: a time stamp or an entity tag.
        ///
        /// Each pull reads the whole list. Check the names in `ResourceStyle.delta`.
        public static let noCursor = Code(kind: .noCursor)

        /// The first response of a list has shown how the list continues.
        ///
        /// The pull is complete. Set `ResourceStyle.pagination` to what the message contains, so
        /// that it does not depend on the first response.
        public static let pagesRecognized = Code(kind: .pagesRecognized)

        /// That the first page of a list is the whole is assumed: it is as long as full pages
        /// usually are, and nothing in the response says so.
        ///
        /// ``SyncReport/ResourceReport/unprovenEnd`` stays until the list has another length. Set
        /// `ResourceStyle.pagination` if the list has pages, or to `.none` if it has one.
        public static let endAssumed = Code(kind: .endAssumed)

        /// The service does not have the lists of some parents; their rows are kept.
        ///
        /// If no parent has a list, the path is wrong, and the resource fails instead.
        public static let listsNotFound = Code(kind: .listsNotFound)

        /// The lists of several parents could not be read.
        ///
        /// The failure of the resource, ``SyncReport/ResourceReport/failure``, is that of the first
        /// of them. If the service seems to be down, the remaining lists are not requested, and the
        /// next pull resumes after those that were read.
        public static let listsFailed = Code(kind: .listsFailed)

        /// The lists of a resource were not requested, because the resource of their parents
        /// failed.
        ///
        /// The failure of the resource, ``SyncReport/ResourceReport/failure``, is that of the
        /// parents' resource. The next pull requests the lists.
        public static let parentsNotPulled = Code(kind: .parentsNotPulled)

        /// The name of the kind, such as `changesRejected`.
        public var description: String { kind.rawValue }
    }

    /// The kind of the condition, on which code may depend.
    public var code: Code

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
