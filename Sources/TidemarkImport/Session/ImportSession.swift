/// An import that takes several transactions: it is started, applied page by page, and finished.
///
/// The pages of a long list are committed one by one, so that readers see rows early and a crash
/// loses little work. Rows that the list does not contain are deleted only by
/// ``Importer/finish(_:_:)``, after every page has been applied: a session that ends early deletes
/// nothing (mark and sweep, with the marks in the database).
///
/// Use it for a paginated list that the app requests itself, or for a document that is too long for
/// one transaction. Use ``Importer/import(_:into:scope:options:)`` for a list that fits into one,
/// and `SyncEngine` for the lists of a service.
///
/// <!-- example: let bodies: [[UInt8]] = [] -->
/// ```swift
/// let session = ImportSession("users", into: "User")
/// try store.writer.write { db in try importer.begin(db, session) }
/// for body in bodies {
///     var items = try JSONDocument(body).items()
///     try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
/// }
/// let report = try store.writer.write { db in try importer.finish(db, session) }
/// print(report.entities["User"]?.deleted ?? 0)
/// ```
///
/// The state of a session is in the database. Another process that creates an equal value continues
/// it: apply the pages that were not committed, and finish. A page may be applied twice.
public struct ImportSession: Sendable, Hashable {
    /// The name under which the session is stored, such as the name of the service's resource.
    package let resource: String

    /// The entity of the list's objects.
    package let entity: String

    /// The options of the import.
    package let options: ImportOptions

    /// The identifier of the run that reads the list.
    ///
    /// A session started by a later run under the same name replaces this one.
    package let run: String

    /// The rows that the list decides about.
    package let scope: SessionScope

    /// Describes a session, without starting it.
    ///
    /// ``Importer/begin(_:_:)`` starts it. One session of a name is open at a time.
    ///
    /// ```swift
    /// let session = ImportSession("articles", into: "Article", run: UUID().uuidString)
    /// ```
    ///
    /// - Parameters:
    ///   - resource: The name under which the session is stored, such as the path of the list.
    ///   - entity: The entity of the list's objects. It must have a primary key.
    ///   - options: The options of the import. With ``ImportOperations/upsert``, the session
    ///     deletes nothing.
    ///   - run: The identifier of the run, if several runs may use the same name: a page of a run
    ///     whose session was replaced is then rejected with ``ImportError/Code/unknownSession``.
    ///     Empty by default.
    public init(
        _ resource: String,
        into entity: String,
        options: ImportOptions = ImportOptions(),
        run: String = ""
    ) {
        self.init(resource, into: entity, options: options, run: run, scope: .entity)
    }

    package init(
        _ resource: String,
        into entity: String,
        options: ImportOptions,
        run: String,
        scope: SessionScope
    ) {
        self.resource = resource
        self.entity = entity
        self.options = options
        self.run = run
        self.scope = scope
    }
}

/// The rows that a list decides about.
package enum SessionScope: Hashable, Sendable {
    /// All rows of the list's entity.
    case entity

    /// The children of one row, for a resource that has one list for each parent.
    ///
    /// The end of such a list does not delete the children that it lacks, but adds them to the
    /// session of the resource that all these lists belong to. Only that session knows how many
    /// rows would be deleted in total, and which rows have moved to another parent's list.
    case children(of: ListParent)

    /// The rows that the lists of several parents lack.
    case gathered
}

/// The parent row of a list.
package struct ListParent: Hashable, Sendable {
    /// The to-one relationship from a child to the parent.
    package var relationship: String

    /// The row number of the parent.
    package var row: Int64

    /// The name of the session that gathers the rows that the lists of all parents lack.
    package var session: String

    package init(relationship: String, row: Int64, session: String) {
        self.relationship = relationship
        self.row = row
        self.session = session
    }
}

extension ImportSession {
    /// The prefix of the name of a session whose rows await approval.
    ///
    /// The prefix is part of the store's format.
    static let pendingPrefix = "parked:"

    /// The session that stores which rows of this one await approval.
    var pending: ImportSession {
        ImportSession(Self.pendingPrefix + resource, into: entity, run: run)
    }

    /// The name of the session that decides which rows of the list's entity are deleted.
    var decidingResource: String {
        if case .children(let parent) = scope { parent.session } else { resource }
    }

    /// The name of the list, for a session whose rows await approval, too.
    var list: String {
        resource.hasPrefix(Self.pendingPrefix)
            ? String(resource.dropFirst(Self.pendingPrefix.count)) : resource
    }
}
