/// How to request the objects that were changed since the last pull (delta sync).
///
/// The cursor comes from the service's own responses. The clock of the device is never used, so
/// that a wrong one does not lose changes. Deleted objects must be noticed as well: by tombstones
/// (``DeletionDetection/marked(_:value:)``), a count, a list of keys, or a full read from time to
/// time.
///
/// ```swift
/// var posts = service.resource("Post", path: "posts")
/// posts.style.delta = .since(ChangeQuery.Since(field: ["updated_at"], parameter: "updated_since"))
/// posts.style.deletes = .marked(["deleted_at"])
/// // GET posts?updated_since=2026-01-02T08:59:59Z
/// // → [{"id": 7, "title": "…", …}, {"id": 3, "deleted_at": "2026-01-02T09:00:00Z", …}]
/// ```
public enum ChangeQuery: Hashable, Encodable, Sendable {
    /// Changes cannot be requested: each pull reads the whole list.
    ///
    /// With conditional requests, pages that were not modified are still not sent again.
    case none

    /// A query parameter contains the version of the whole list, which is the `ETag` of its first
    /// page.
    ///
    /// The response must include tombstones of deleted objects. If it is empty although the version
    /// differs, the collection was reset, and the whole list is read.
    ///
    /// ```swift
    /// var films = service.resource("Film", path: "films")
    /// films.style.delta = .version(parameter: "_since")
    /// films.style.deletes = .marked(["deleted"])
    /// // GET films?_since="1700000000000" → {"data": [{"id": "3", "deleted": true}]}
    /// ```
    case version(parameter: String)

    /// A query parameter contains the time of the latest known change.
    ///
    /// The time is sent in ISO 8601, or as the number that the service uses, and one printed unit
    /// earlier: `…:59Z` for a cursor of `…:00Z`. A service may store more digits than it prints,
    /// and several objects may have the same time; objects that are received again are unchanged.
    case since(Since)

    /// The last page of a list, and of its changes, contains a token at this path, which is sent in
    /// a query parameter to request the changes since then.
    ///
    /// The response must include tombstones of deleted objects:
    /// ``DeletionDetection/marked(_:value:)``. If the service rejects a token, because it has
    /// expired, the whole list is read.
    ///
    /// ```swift
    /// var events = service.resource("Event", path: "calendars/primary/events")
    /// events.style.delta = .token(["nextSyncToken"], parameter: "syncToken")
    /// events.style.deletes = .marked(["status"], value: "cancelled")
    /// // GET calendars/primary/events → {"items": […], "nextSyncToken": "CPDAlvWDx70C"}
    /// // GET calendars/primary/events?syncToken=CPDAlvWDx70C
    /// ```
    case token([String], parameter: String)

    /// The last page of a list, and of its changes, contains the URL of the changes since then.
    ///
    /// It must be a URL of the service. What ``token(_:parameter:)`` says of tombstones and expired
    /// tokens holds for it, too.
    ///
    /// ```swift
    /// var users = service.resource("User", path: "users/delta")
    /// users.style.pagination = .nextInBody(["@odata.nextLink"])
    /// users.style.delta = .link(["@odata.deltaLink"])
    /// users.style.deletes = .marked(["@removed"])
    /// ```
    case link([String])

    /// A request for changes by the modification times of the objects.
    ///
    /// ```swift
    /// let changes = ChangeQuery.Since(
    ///     field: ["updated_on"],
    ///     parameter: "updated_on",
    ///     template: ">={}",
    ///     order: [QueryItem("sort", "updated_on")]
    /// )
    /// // GET issues.json?sort=updated_on&updated_on=>=2026-01-02T08:59:59Z, percent-encoded
    /// ```
    public struct Since: Hashable, Encodable, Sendable {
        /// The path of the member that contains an object's modification time, such as `["meta",
        /// "modified"]`.
        ///
        /// The value is a date and time, or a number such as milliseconds since 1970.
        public var field: [String]

        /// How the time is written into the query.
        package var condition: Condition

        /// The parameters that sort changes from the oldest, such as `sort=updated_at`.
        ///
        /// Defaults to none.
        ///
        /// With this order each page advances the cursor, so that an interrupted pull does not
        /// request the changes before it again. Without it, only the whole list does.
        public var order: [QueryItem]

        /// How far before the latest known change to start.
        ///
        /// Defaults to zero.
        ///
        /// A service that stamps a change at the start of its transaction shows it only after the
        /// commit, when a later change may already have been read. Set it to the service's longest
        /// transaction.
        ///
        /// ```swift
        /// var changes = ChangeQuery.Since(field: ["updated_at"], parameter: "since")
        /// changes.overlap = .seconds(60)
        /// ```
        public var overlap: Duration

        /// Creates a request for changes.
        ///
        /// - Parameters:
        ///   - field: The path of the member that contains an object's modification time.
        ///   - parameter: The query parameter that contains the time.
        ///   - template: The value of the parameter, in which `{}` is replaced by the time, such as
        ///     `>={}`: for services whose filters are written as operators. Defaults to nil: the
        ///     time alone.
        ///   - order: The parameters that sort changes from the oldest. Defaults to none.
        ///   - overlap: How far before the latest known change to start. Defaults to zero.
        public init(
            field: [String],
            parameter: String,
            template: String? = nil,
            order: [QueryItem] = [],
            overlap: Duration = .zero
        ) {
            self.init(
                field: field,
                condition: template.map { .template(parameter: parameter, $0) }
                    ?? .parameter(parameter),
                order: order,
                overlap: overlap
            )
        }

        /// Creates a request for changes whose query contains the time in some form.
        package init(
            field: [String],
            condition: Condition,
            order: [QueryItem] = [],
            overlap: Duration = .zero
        ) {
            self.field = field
            self.condition = condition
            self.order = order
            self.overlap = overlap
        }
    }

    /// How the time is written into the query.
    package enum Condition: Hashable, Encodable, Sendable {
        /// The parameter contains the time.
        case parameter(String)

        /// The parameter contains a text in which `{}` is replaced by the time, such as `>={}`: for
        /// services whose filters are written as operators.
        case template(parameter: String, String)

        /// The parameter contains a JSON document with conditions on the field. Times in it have a
        /// type: `{"__type": "Date", "iso": …}`.
        ///
        /// Source: Parse REST guide, “Queries”.
        case document(parameter: String)
    }
}

extension ChangeQuery {
    /// The path of the member of the last page that leads to later changes; nil if none does.
    var markPath: [String]? {
        switch self {
        case .token(let path, _), .link(let path): path
        case .none, .version, .since: nil
        }
    }

    /// Parses the value of an option: `none`, `version:PARAMETER`, `since:FIELD>PARAMETER`,
    /// `since:FIELD>PARAMETER=TEXT`, where `{}` in the text is replaced by the time,
    /// `token:PATH>PARAMETER`, or `link:PATH`.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        if option == "none" {
            self = .none
        } else if let parameter = option.droppingPrefix("version:") {
            self = .version(parameter: parameter)
        } else if let rest = option.droppingPrefix("token:") {
            let parts = rest.split(separator: ">", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            self = .token(parts[0].pathComponents, parameter: parts[1])
        } else if let path = option.droppingPrefix("link:"), !path.isEmpty {
            self = .link(path.pathComponents)
        } else if let rest = option.droppingPrefix("since:") {
            let parts = rest.split(separator: ">", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            guard let condition = Condition(option: parts[1]) else { return nil }
            self = .since(Since(field: parts[0].pathComponents, condition: condition))
        } else {
            return nil
        }
    }
}

extension ChangeQuery.Condition {
    /// Parses a condition: `PARAMETER`, or `PARAMETER=TEXT` with `{}` in the text.
    fileprivate init?(option: String) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let name = parts.first, !name.isEmpty else { return nil }
        guard parts.count > 1 else {
            self = .parameter(name)
            return
        }
        guard parts[1].contains("{}") else { return nil }
        self = .template(parameter: name, parts[1])
    }
}
