public import Foundation
public import HTTPTypes

/// A web service: its address, what every request carries, and how its resources usually work.
///
/// A preset such as ``rest(url:)`` knows the usual ways of a kind of service; each is a property
/// here that may be changed.
public struct Service: Hashable, Sendable {
    /// The address that the paths of the resources stand below; its own path is kept.
    public private(set) var url: URL

    /// What stores remember the service by, where it has several addresses, or another each time;
    /// nil for its origin.
    public var name: String?

    /// What every request carries, credentials included.
    ///
    /// They are never shown and never stored.
    public var headers: HTTPFields

    /// What every URL carries, such as a key that the service knows its callers by.
    ///
    /// The parameters are added when a request is sent: they are never shown and never stored, and
    /// a link that the service gives needs not have them.
    public var query: [QueryItem] = []

    /// Further origins that belong to the service.
    ///
    /// Links and redirects to them are followed, with the same header fields; to any other they are
    /// refused.
    public var origins: Set<Origin> = []

    /// How the lists usually look, and what they tell.
    public var style: ListStyle

    /// Where an entity's list usually stands: `{collection}` is the plural of its name with
    /// underscores, `{entity}` the name itself.
    public var path = "{collection}"

    /// Creates a service.
    ///
    /// A user and a password in the URL become an `Authorization` field.
    public init(url: URL, headers: HTTPFields = [:], style: ListStyle = ListStyle()) {
        self.url = url
        self.headers = headers
        self.style = style
        moveCredentials()
    }

    /// A resource of this service that works in its usual ways.
    ///
    /// - Parameters:
    ///   - entity: the entity that the objects are.
    ///   - path: where the list stands, below the service's URL.
    /// - Returns: the resource, each of whose facts may be changed.
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
    /// The address, without secrets.
    public var description: String { url.shown }

    /// The address, without secrets.
    public var debugDescription: String { description }

    /// The address, without secrets: the header fields may hold credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["url": description])
    }
}
