public import Foundation
public import HTTPTypes

/// A web service: its address, what every request carries, and how its resources usually work.
///
/// A preset such as ``rest(url:)`` knows the usual ways of a kind of service; each is a property
/// here that may be changed.
public struct Service: Hashable, Sendable {
    /// The address that the paths of the resources stand below; its own path is kept.
    public private(set) var url: URL

    /// What every request carries, credentials included.
    ///
    /// They are never shown and never stored.
    public var headers: HTTPFields

    /// Further origins that belong to the service.
    ///
    /// Links and redirects to them are followed, with the same header fields; to any other they are
    /// refused.
    public var origins: Set<Origin> = []

    /// Where the resources usually have their list.
    public var envelope: Envelope

    /// How the lists usually go on.
    public var pagination: Pagination

    /// Where documents usually tell how many objects the whole list has.
    public var total: [String]?

    /// How the resources usually tell that an object is gone.
    public var deletes: Deletes

    /// Creates a service.
    ///
    /// A user and a password in the URL become an `Authorization` field.
    public init(
        url: URL,
        headers: HTTPFields = [:],
        envelope: Envelope = .none,
        pagination: Pagination = .none,
        total: [String]? = nil,
        deletes: Deletes = .sweep
    ) {
        self.url = url
        self.headers = headers
        self.envelope = envelope
        self.pagination = pagination
        self.total = total
        self.deletes = deletes
        moveCredentials()
    }

    /// A resource of this service that works in its usual ways.
    public func resource(_ entity: String, path: String) -> Resource {
        Resource(
            entity: entity,
            path: path,
            envelope: envelope,
            pagination: pagination,
            total: total,
            deletes: deletes
        )
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
