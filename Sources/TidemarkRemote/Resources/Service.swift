public import Foundation
public import HTTPTypes

/// A web service: its URL, the header fields of its requests, and the defaults of its resources.
///
/// A preset such as ``rest(url:)`` defines the defaults for a kind of service. Each is a property
/// that can be changed. A service is a description: it sends nothing. `SyncEngine` requests its
/// lists.
///
/// ```swift
/// var service = Service.rest(url: url)
/// service.headers[.authorization] = "Bearer abc"
/// service.style.parameters.pageSize = [QueryItem("limit", "100")]
/// let films = service.resource("Film", path: "films")    // GET films?limit=100
/// ```
///
/// Resources take the defaults when they are created: change ``style`` before.
public struct Service: Hashable, Sendable {
    /// The base URL of the resources' paths.
    ///
    /// Its own path is kept, with or without a slash at its end; its query and fragment are not. A
    /// user and a password are removed from it, see ``init(url:headers:style:)``.
    ///
    /// ```swift
    /// let service = Service.rest(url: URL(string: "https://api.example.com/v1")!)
    /// let films = service.resource("Film", path: "films")    // https://api.example.com/v1/films
    /// ```
    public private(set) var url: URL

    /// The name that identifies the service in stores; nil, the default, to identify it by its
    /// origin.
    ///
    /// A store belongs to one service: a pull from another fails, because it would delete the rows
    /// of the first. Set the name if the service has several or changing origins, such as one for
    /// each region. It cannot be changed later without a new store, except to the origin that a
    /// store has recorded.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// service.name = "https://old.example.com"    // has moved to another address
    /// ```
    public var name: String?

    /// The header fields of every request, including credentials.
    ///
    /// They replace the defaults of the same name: `Accept` is JSON, `User-Agent` is `Tidemark`.
    /// They are sent to the origins of the service only, and never displayed or stored. For
    /// credentials that expire use ``Credentials``.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// service.headers[.authorization] = "Bearer abc"
    /// service.headers[.acceptLanguage] = "en"
    /// ```
    public var headers: HTTPFields

    /// Query parameters of every URL, such as an API key.
    ///
    /// Defaults to none.
    ///
    /// They are added when a request is sent. They are never displayed or stored, and links from
    /// the service need not contain them.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// service.query = [QueryItem("api_key", "abc")]
    /// ```
    public var query: [QueryItem] = []

    /// The secrets in the queries of paths, which contain placeholders for them.
    package var hiddenValues: [HiddenValue] = []

    /// Further origins that belong to the service.
    ///
    /// Defaults to none.
    ///
    /// Links and redirects to them are followed with the same header fields, credentials included.
    /// Links and redirects to any other origin are errors (``RemoteError/Code/linkRejected``,
    /// ``RemoteError/Code/redirectRejected``).
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// if let cdn = Origin("https://cdn.example.com") { service.origins.insert(cdn) }
    /// ```
    public var origins: Set<Origin> = []

    /// The default format of the lists.
    ///
    /// ``resource(_:path:)`` copies it into the resource.
    ///
    /// ```swift
    /// var service = Service.rails(url: url)
    /// service.style.delta = .railsChanges    // of all resources that are created from now on
    /// service.style.fullInterval = .seconds(86_400)
    /// ```
    public var style: ResourceStyle

    /// How local changes are sent to the resources.
    ///
    /// Defaults to ``PushStyle/readOnly``: the store is a mirror of the service, and a local change
    /// may be undone by the next pull. ``resource(_:path:)`` copies it into the resource.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// service.push = .rest
    /// let films = service.resource("Film", path: "films")    // POST films, PATCH films/7
    /// ```
    public var push = PushStyle.readOnly

    /// The default path of an entity's list: `{collection}` is the plural of the entity's name in
    /// snake case, `{entity}` the name itself.
    ///
    /// Only ``resource(of:naming:)`` uses it. Defaults to `{collection}`: `blog_posts` for the
    /// entity `BlogPost`.
    public var path = "{collection}"

    /// Creates a service.
    ///
    /// Prefer a preset, such as ``rest(url:)``, unless all lists are arrays of a single page. A
    /// user and password in the URL become an `Authorization` field of the scheme `Basic` (RFC
    /// 7617), unless `headers` contains one.
    ///
    /// ```swift
    /// var style = ResourceStyle()
    /// style.envelope = .keyPath(["data", "items"])
    /// style.pagination = .token(["data", "next"], parameter: "page_token")
    /// let service = Service(url: url, headers: [.authorization: "Bearer abc"], style: style)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The base URL of the resources, with the scheme `http` or `https`. An invalid one is
    ///     reported by the first request.
    ///   - headers: The header fields of every request. Defaults to none.
    ///   - style: The default format of the lists. Defaults to unpaged arrays.
    public init(url: URL, headers: HTTPFields = [:], style: ResourceStyle = ResourceStyle()) {
        self.url = url
        self.headers = headers
        self.style = style
        moveCredentials()
    }

    /// Returns a resource of this service with the service's defaults.
    ///
    /// Nothing is requested, and the names are not checked before a `SyncEngine` is created with
    /// the resource.
    ///
    /// ```swift
    /// var latest = service.resource("Film", path: "films?sort=-released")
    /// latest.style.deletes = .none    // another resource lists all films
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The name of the entity of the objects.
    ///   - path: The path of the list below the service's URL, with a query if necessary. It may
    ///     name a parent: see ``RemoteResource/path``.
    /// - Returns: The resource. Change its properties where it differs.
    public func resource(_ entity: String, path: String) -> RemoteResource {
        var resource = RemoteResource(entity: entity, path: path, style: style)
        resource.push = push
        return resource
    }

    private mutating func moveCredentials() {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.user != nil || parts.password != nil
        else { return }
        let pair = Data("\(parts.user ?? ""):\(parts.password ?? "")".utf8)
        parts.user = nil
        parts.password = nil
        guard let bare = parts.url else { return }
        url = bare
        headers[.authorization] = headers[.authorization] ?? "Basic \(pair.base64EncodedString())"
    }
}

extension Service: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL, without secrets.
    public var description: String { url.shown }

    /// The URL, without secrets.
    public var debugDescription: String { description }

    /// A mirror with the URL alone: the header fields may contain credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["url": description])
    }
}
