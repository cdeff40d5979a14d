public import protocol Foundation.LocalizedError

/// An error that prevents a pull from starting, or that stops all of it.
///
/// ``SyncEngine/pull(with:)`` and the other methods of the engine throw it. The failure of a single
/// resource does not stop a pull, and is not thrown as this type: it is in ``SyncReport/failures``,
/// usually as a `RemoteError`. When this error is thrown, rows of committed pages stay in the
/// store, and the next pull resumes after them.
///
/// ```swift
/// do {
///     print(try await engine.pull())
/// } catch let error as SyncError where error.code == .busy {
///     print("Another process is syncing.")  // its rows will be in this store
/// } catch let error as SyncError {
///     print(error.message, error.hint ?? "")
/// }
/// ```
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; new kinds may be added.
    ///
    /// Compare it in the `where` clause of a `catch`, and treat unknown kinds like any other error.
    /// Preparing an engine throws ``unknownEntity``, ``unknownProperty``, ``duplicateResource``,
    /// ``conflictingResources``, ``invalidParent`` and ``storeMismatch``; the others are thrown by
    /// pulls and pushes.
    ///
    /// ```swift
    /// func isWorthRetrying(_ error: SyncError) -> Bool {
    ///     [.busy, .leaseLost].contains(error.code)
    /// }
    /// ```
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unknownEntity, unknownResource, duplicateResource, conflictingResources
            case invalidParent, storeMismatch, leaseLost, busy, serviceMismatch, nothingToPull
            case unknownProperty, contradictoryPush, dryRun, noAssetFolder, unknownAsset,
                assetTooLarge
            case assetNotWritten, notAdoptable, noSuchObject, repeatedKey
        }
        private let kind: Kind

        /// The entity of a resource does not exist in the store's model.
        ///
        /// Preparing a ``SyncEngine`` throws it, before anything is requested. The hint
        /// lists the entities of the model: the names are compared exactly.
        ///
        /// ```swift
        /// // A store whose model has the entity "Article":
        /// let articles = service.resource("Article", path: "articles")    // not "Articles"
        /// ```
        public static let unknownEntity = Code(kind: .unknownEntity)

        /// A conflict policy names an entity or a property that the store's model does not have.
        ///
        /// Preparing a ``SyncEngine`` throws it, before anything is requested. The message names
        /// the place, such as `conflicts.Note.text`.
        public static let unknownProperty = Code(kind: .unknownProperty)

        /// No resource of the engine has this path.
        ///
        /// ``SyncEngine/approveDeletion(of:with:)`` throws it if the list of a pending deletion is
        /// not configured any more. Nothing was requested or deleted. To delete the rows without
        /// asking the service, use `Importer.approveDeletion`.
        public static let unknownResource = Code(kind: .unknownResource)

        /// Two resources have the same path.
        ///
        /// Preparing a ``SyncEngine`` throws it: cursors, cached pages and checkpoints are
        /// stored by path, so that two lists with one path would overwrite each other's state. An
        /// entity may have several lists, with different paths.
        public static let duplicateResource = Code(kind: .duplicateResource)

        /// Two resources would delete each other's rows, or a single object would delete the rows
        /// of others.
        ///
        /// Preparing a ``SyncEngine`` throws it if two lists of the same entity, or of
        /// entities with common rows, both detect deletions. Only the list that contains all
        /// objects may: set `deletes` of the others to `.none`.
        ///
        /// ```swift
        /// var latest = service.resource("Film", path: "films/latest")
        /// latest.style.deletes = .none    // "films" decides which rows exist
        /// let resources = [service.resource("Film", path: "films"), latest]
        /// ```
        public static let conflictingResources = Code(kind: .conflictingResources)

        /// The options of a `PushStyle` contradict each other.
        ///
        /// Preparing a ``SyncEngine`` throws it.
        ///
        /// <!-- example: var service = Service.rest(url: url) -->
        /// ```swift
        /// service.push.reconcile = .key    // needs service.push.key = .client
        /// ```
        public static let contradictoryPush = Code(kind: .contradictoryPush)

        /// The path of a resource names a parent that its entity does not have, or that no other
        /// resource lists.
        ///
        /// Preparing a ``SyncEngine`` throws it for paths such as `posts/{post}/comments`,
        /// also if two resources need each other's objects as parents. The name in braces must be a
        /// to-one relationship of the entity, and the parent's entity needs a resource of its own,
        /// since its rows determine which lists exist.
        public static let invalidParent = Code(kind: .invalidParent)

        /// The importer of an engine was created with another store than that of the engine.
        ///
        /// Preparing a ``SyncEngine`` throws it: a pull would change the importer's store.
        public static let storeMismatch = Code(kind: .storeMismatch)

        /// Another run, usually of another process, has taken over the lease of this one.
        ///
        /// That happens if this process was suspended for longer than a minute plus
        /// `Limits.http.idleTimeout`. The transaction that found it out was rolled back, what was
        /// committed before it stays, nothing more is sent, and the other run continues.
        /// ``SyncEngine/run(_:with:pushing:)`` does
        /// not throw it, and pulls again at the next time of its schedule.
        public static let leaseLost = Code(kind: .leaseLost)

        /// Another engine or process is pulling into the store or pushing from it.
        ///
        /// A lease in the store ensures mutual exclusion; the message contains the process and its
        /// host. Nothing was requested. Wait for the other run, which brings the same data. The
        /// lease of a killed process on the same host is taken over at once, so that this error
        /// does not remain after a crash.
        public static let busy = Code(kind: .busy)

        /// The store belongs to another service or another account.
        ///
        /// The first pull binds the store to the service's `name`, or else its origin, and to the
        /// `account` of the engine. Rows of two accounts in one store would be deleted by each
        /// other's pulls. Use one store for each account. If a service has moved to another
        /// address, set `Service.name` to the previous origin.
        ///
        /// <!-- example: let userID = "17" -->
        /// ```swift
        /// let store = try Store.open(at: "feed-\(userID).sqlite", model: model)
        /// ```
        public static let serviceMismatch = Code(kind: .serviceMismatch)

        /// No resource is configured, or none for the requested entities.
        ///
        /// A pull throws it before it acquires the lease. Check the names in
        /// ``PullOptions/only``: a misspelled entity is not a resource.
        public static let nothingToPull = Code(kind: .nothingToPull)

        /// An engine of a dry run was to send changes to the service.
        ///
        /// The engine works on a copy of the store, but its service is the real one. Use
        /// ``SyncEngine/plannedRequests(with:)`` to see what a push would send.
        public static let dryRun = Code(kind: .dryRun)

        /// The store has no folder for files.
        ///
        /// ``Assets`` throws it for a store in memory, in an app's own database, or opened for
        /// reading. Pass a folder to `SyncEngine.prepare`.
        public static let noAssetFolder = Code(kind: .noAssetFolder)

        /// A URL of the scheme `tidemark-asset` names no file in the folder.
        ///
        /// The file was deleted, or the URL was written by another program.
        public static let unknownAsset = Code(kind: .unknownAsset)

        /// A file of the app is longer than `Limits.http.assetBytes`, 64 MiB by default.
        public static let assetTooLarge = Code(kind: .assetTooLarge)

        /// A file could not be written into the folder of files.
        ///
        /// The disk is full, or the folder is not writable. The message contains the reason.
        public static let assetNotWritten = Code(kind: .assetNotWritten)

        /// A row cannot become that of an object of the service.
        ///
        /// ``SyncEngine/adopt(_:key:)`` throws it for a row that has a key, is a local draft, or
        /// whose creation is being sent or in conflict; if another row has the object; if no list
        /// accepts changes of the entity; and if the parent of the row has no key yet. Nothing has
        /// changed.
        public static let notAdoptable = Code(kind: .notAdoptable)

        /// The service has no object with the key that was given to ``SyncEngine/adopt(_:key:)``.
        public static let noSuchObject = Code(kind: .noSuchObject)

        /// Several objects of a list have the same key, which was inferred from its first pages.
        ///
        /// The list fails with it in ``SyncReport/failures``, since a row can store only one of
        /// these objects. Write a model whose `primaryKey` identifies the objects, and pull into a
        /// new store.
        public static let repeatedKey = Code(kind: .repeatedKey)
    }

    /// The kind of the error, on which code may depend.
    public var code: Code

    /// What failed, as a sentence that names the resource, store or process.
    ///
    /// It is meant for the developer and the log, in English, and contains no credentials. Its text
    /// may change: compare ``code`` instead.
    public var message: String

    /// How to resolve the error, as a sentence; nil if there is no advice.
    public var hint: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, followed by the hint.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }
}

extension SyncError: LocalizedError {
    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
