import HTTPTypes

public import struct Foundation.URL

/// Which page of a resource to fetch: the first, or the one that the page before named.
public struct PageRequest: Hashable, Sendable {
    /// What a list is read for.
    public enum Purpose: Hashable, Sendable {
        /// All objects there are.
        case list

        /// What has changed since a cursor that the service gave.
        case changes(since: String)

        /// The keys of all objects there are.
        case keys
    }

    /// The resource.
    public let resource: RemoteResource

    /// What the list is read for.
    public internal(set) var purpose: Purpose

    /// The URL of the page; nil for the first of the resource.
    public let url: URL?

    /// The number of the page in this walk, counted from 1.
    public let number: Int

    /// How many objects came before the page.
    public let before: Int

    /// How the list continues, where its pagination is ``Pagination/automatic`` and a response of
    /// it has shown that.
    public var paging: RecognizedPaging?

    /// What the service said of the page when it was fetched before: it is asked to send it only
    /// where it has changed.
    public var validator: CacheValidator?

    /// The pages of this walk that were asked before.
    let seen: Set<String>

    /// What identifies the objects of the page before, where pages are counted; nil elsewhere.
    ///
    /// A service that ignores the parameter would return the same page again and again.
    let earlierPage: Int?

    /// How many pages the response before says that there are: none of them may be missing.
    var pages: Int?

    /// The request for the first page of a resource.
    public init(first resource: RemoteResource, for purpose: Purpose = .list) {
        self.init(resource: resource, purpose: purpose, url: nil, number: 1, before: 0)
    }

    /// The request that takes up a walk where it was left: at the page with this URL and number.
    ///
    /// The URL is one that a page named as its next before; it is checked again.
    public init(
        resuming resource: RemoteResource,
        for purpose: Purpose = .list,
        at url: URL,
        number: Int,
        before: Int = 0
    ) {
        self.init(
            resource: resource,
            purpose: purpose,
            url: url,
            number: max(1, number),
            before: before
        )
    }

    init(
        resource: RemoteResource,
        purpose: Purpose,
        url: URL?,
        number: Int,
        before: Int,
        paging: RecognizedPaging? = nil,
        seen: Set<String> = [],
        earlierPage: Int? = nil
    ) {
        self.resource = resource
        self.purpose = purpose
        self.url = url
        self.number = number
        self.before = before
        self.paging = paging
        self.seen = seen
        self.earlierPage = earlierPage
    }
}

extension PageRequest {
    /// Notes that the page had objects when the page before, which is unmodified, was read: a
    /// response 404 is no end of the list then.
    package mutating func expectObjects() {
        pages = max(pages ?? 0, number)
    }

    /// The request for a page of which nothing but header fields is known.
    var unrecognized: PageRequest {
        var request = self
        request.paging = nil
        return request
    }

    /// How the list continues: as the resource says, or as its first response has shown.
    package var pagination: Pagination {
        let configured = resource.style.pagination
        return configured == .automatic ? paging?.pagination ?? .automatic : configured
    }

    /// Where the number of all objects is: as the first response has shown, or as the resource
    /// says.
    package var total: TotalCount { paging?.total ?? resource.style.total }
}

/// How a list continues and where it says how many objects it has, as its first response shows.
public struct RecognizedPaging: Hashable, Sendable {
    /// How the list continues.
    public var pagination: Pagination

    /// Where the number of all objects is.
    public var total: TotalCount

    /// Creates a description of a list.
    public init(pagination: Pagination, total: TotalCount) {
        self.pagination = pagination
        self.total = total
    }
}

/// What a service said of an answer, by which it can tell later whether it has changed.
///
/// It is sent back word for word. Where there is an entity tag it is sent alone: services differ in
/// what they make of both.
///
/// Source: RFC 9110, “Validator Fields” and “Conditional Requests”.
public struct CacheValidator: Hashable, Sendable {
    /// The `ETag` field.
    public var tag: String?

    /// The `Last-Modified` field.
    public var modified: String?

    /// Creates a validator; nil where nothing is given.
    public init?(tag: String?, modified: String?) {
        guard tag != nil || modified != nil else { return nil }
        self.tag = tag
        self.modified = modified
    }

    /// Whether header fields have the same validator; a weak tag is the same as a strong one.
    func isSame(in headers: HTTPFields) -> Bool {
        guard let tag else { return modified == headers[.lastModified] }
        func opaque(_ tag: String) -> Substring {
            tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        }
        return headers[.eTag].map(opaque) == opaque(tag)
    }
}
