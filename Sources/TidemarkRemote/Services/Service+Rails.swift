public import struct Foundation.URL

extension Service {
    /// Creates a service as built with Rails: lists are arrays, and the `Link` field usually leads
    /// to the next page.
    ///
    /// The total is usually in `X-Total-Count`. Set ``ResourceStyle/delta`` to
    /// ``ChangeQuery/railsChanges`` for a service that supports `?updated_since=`.
    ///
    /// ```swift
    /// var service = Service.rails(url: url)
    /// service.style.parameters.pageSize = [QueryItem("per_page", "100")]
    /// service.style.parameters.order = [QueryItem("sort", "id")]
    /// let posts = service.resource("Post", path: "posts")
    /// // GET posts?per_page=100&sort=id → [{"id": 1, "title": "…", "updated_at": "…"}, …]
    /// ```
    ///
    /// Sources: the `Link` header of RFC 8288 as the pagination gems write it, Rack's weak ETags,
    /// times with milliseconds as in Rails.
    ///
    /// - Parameter url: The base URL of the resources.
    /// - Returns: The service. Change its properties where the server differs.
    public static func rails(url: URL) -> Service {
        var style = ResourceStyle()
        style.pagination = .automatic
        style.base = 1
        style.total = .header("X-Total-Count")
        return Service(url: url, style: style)
    }
}

extension ChangeQuery {
    /// Requests changes by `?updated_since=` and `updated_at`, the convention of Rails services.
    ///
    /// Such a service reports no deletions. Without a way to notice these, the changes are not
    /// requested: set ``ResourceStyle/fullInterval``, or ``ResourceStyle/count`` or
    /// ``ListParameters/keys`` if the service supports them.
    ///
    /// ```swift
    /// var posts = service.resource("Post", path: "posts")
    /// posts.style.delta = .railsChanges
    /// posts.style.fullInterval = .seconds(86_400)    // finds deleted posts once a day
    /// ```
    public static let railsChanges = ChangeQuery.since(
        Since(field: ["updated_at"], condition: .parameter("updated_since"))
    )
}

extension PushStyle {
    /// A service by Rails: objects are wrapped in the name of their entity, and `lock_version` is
    /// sent if the model has it.
    ///
    /// An object of the model `Film` is sent as `{"film": {…}}`. An entity with an attribute
    /// `lock_version` is not read before it is changed: the service rejects an outdated version.
    ///
    /// ```swift
    /// var service = Service.rails(url: url)
    /// service.push = .rails
    /// service.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
    /// service.push.reconcile = .resend    // if the service replays its response
    /// ```
    ///
    /// Source: Active Record, “Optimistic locking”; Action Controller, “Parameters”.
    public static let rails: PushStyle = {
        var style = rest
        style.body.wrapper = .member("{entity}")
        style.body.names = .snake
        // What is permitted is `user_id`, whatever is shown.
        style.body.references = .ids
        style.check = .version(parameter: nil)
        style.version = .body("lock_version")
        return style
    }()
}
