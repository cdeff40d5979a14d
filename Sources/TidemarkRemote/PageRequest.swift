public import struct Foundation.URL

/// Which page of a resource to fetch: the first, or the one that the page before named.
public struct PageRequest: Sendable {
    /// The resource.
    public let resource: Resource

    /// The URL of the page; nil for the first of the resource.
    public let url: URL?

    /// The number of the page in this walk, counted from 1.
    public let number: Int

    /// The pages of this walk that were asked before.
    let seen: Set<String>

    /// The request for the first page of a resource.
    public init(first resource: Resource) {
        self.init(resource: resource, url: nil, number: 1, seen: [])
    }

    /// The request that takes up a walk where it was left: at the page with this URL and number.
    ///
    /// The URL is one that ``Page/next`` named before; it is checked again.
    public init(resuming resource: Resource, at url: URL, number: Int) {
        self.init(resource: resource, url: url, number: max(1, number), seen: [])
    }

    init(resource: Resource, url: URL?, number: Int, seen: Set<String>) {
        self.resource = resource
        self.url = url
        self.number = number
        self.seen = seen
    }
}
