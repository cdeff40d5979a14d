public import Foundation
public import HTTPTypes

/// A web service: its URL, the header fields of its requests, and the defaults of its resources.
///
/// A preset such as ``rest(url:)`` defines the defaults for a kind of service. Each is a property
/// that can be changed.
public struct Service: Hashable, Sendable {
    /// The base URL of the resources' paths.
    ///
    /// Its own path is kept.
    public private(set) var url: URL

    /// The name that identifies the service in stores; nil to identify it by its origin.
    ///
    /// Set it if the service has several or changing origins.
    public var name: String?

    /// The header fields of every request, including credentials.
    ///
    /// They are never displayed or stored.
    public var headers: HTTPFields

    /// Query parameters of every URL, such as an API key.
    ///
    /// Defaults to none.
    ///
    /// They are added when a request is sent. They are never displayed or stored, and links from
    /// the service need not contain them.
    public var query: [QueryItem] = []

    /// Further origins that belong to the service.
    ///
    /// Defaults to none.
    ///
    /// Links and redirects to them are followed with the same header fields. Links and redirects to
    /// any other origin are errors.
    public var origins: Set<Origin> = []

    /// The default format of the lists.
    public var style: ListStyle

    /// The default path of an entity's list: `{collection}` is the plural of the entity's name in
    /// snake case, `{entity}` the name itself.
    public var path = "{collection}"

    /// Creates a service.
    ///
    /// A user and password in the URL become an `Authorization` field.
    ///
    /// - Parameters:
    ///   - url: The base URL of the resources.
    ///   - headers: The header fields of every request. Defaults to none.
    ///   - style: The default format of the lists. Defaults to unpaged arrays.
    public init(url: URL, headers: HTTPFields = [:], style: ListStyle = ListStyle()) {
        self.url = url
        self.headers = headers
        self.style = style
        moveCredentials()
    }

    /// Returns a resource of this service with the service's defaults.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity of the objects.
    ///   - path: The path of the list below the service's URL.
    /// - Returns: The resource. Change its properties where it differs.
    public func resource(_ entity: String, path: String) -> RemoteResource {
        RemoteResource(entity: entity, path: path, style: style)
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
