import HTTPTypes

public import struct Foundation.URL

/// A request for a page of a resource: the first page, or the next page that a previous one named.
public struct PageRequest: Hashable, Sendable {
    /// The resource.
    public let resource: RemoteResource

    /// The part of the list to fetch.
    public internal(set) var mode: FetchMode

    /// The URL of the page; nil for the first page of the resource.
    public let url: URL?

    /// The number of the page, counted from 1 since the list was started.
    public let number: Int

    /// The number of objects on the pages before this one.
    public let before: Int

    /// The pagination and the total recognized from an earlier response of the list; nil if none
    /// were recognized.
    public var paging: RecognizedPaging?

    /// The validator of an earlier response for the page.
    ///
    /// If set, the request is conditional: the service sends the page only if it was modified.
    public var validator: CacheValidator?

    /// The URLs of the pages of this list that were already requested, to detect loops.
    let seen: Set<String>

    /// The hash of the previous page's objects, if pages are requested by number or offset; nil
    /// otherwise.
    ///
    /// A service that ignores the parameter would return the same page again and again.
    let earlierPage: Int?

    /// The number of pages that the previous response reported.
    ///
    /// A 404 response for one of them is an error.
    var pages: Int?

    /// Creates a request for the first page of a resource.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - mode: The part of the list to fetch. Defaults to all objects.
    public init(first resource: RemoteResource, for mode: FetchMode = .list) {
        self.init(resource: resource, mode: mode, url: nil, number: 1, before: 0)
    }

    /// Creates a request that resumes an interrupted list.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - mode: The part of the list to fetch. Defaults to all objects.
    ///   - url: The URL of the page to resume at, as a previous page named it. It is verified again
    ///     to belong to the service.
    ///   - number: The number of that page, from 1.
    ///   - before: The number of objects on the pages before it. Defaults to 0.
    public init(
        resuming resource: RemoteResource,
        for mode: FetchMode = .list,
        at url: URL,
        number: Int,
        before: Int = 0
    ) {
        self.init(
            resource: resource,
            mode: mode,
            url: url,
            number: max(1, number),
            before: before
        )
    }

    init(
        resource: RemoteResource,
        mode: FetchMode,
        url: URL?,
        number: Int,
        before: Int,
        paging: RecognizedPaging? = nil,
        seen: Set<String> = [],
        earlierPage: Int? = nil
    ) {
        self.resource = resource
        self.mode = mode
        self.url = url
        self.number = number
        self.before = before
        self.paging = paging
        self.seen = seen
        self.earlierPage = earlierPage
    }
}

extension PageRequest {
    /// Records that the page had objects when the previous, unmodified page was read: a 404
    /// response is then an error, and not the end of the list.
    package mutating func expectObjects() {
        pages = max(pages ?? 0, number)
    }

    /// The request without recognized pagination, for a page of which only the header fields are
    /// known.
    var unrecognized: PageRequest {
        var request = self
        request.paging = nil
        return request
    }

    /// The pagination of the list: as configured, or as recognized from a response.
    package var pagination: Pagination {
        let configured = resource.style.pagination
        return configured == .automatic ? paging?.pagination ?? .automatic : configured
    }

    /// The source of the list's total: as recognized from a response, or as configured.
    package var total: TotalCount { paging?.total ?? resource.style.total }
}

/// The pagination and the source of the total of a list, recognized from a response.
public struct RecognizedPaging: Hashable, Sendable {
    /// The pagination.
    public var pagination: Pagination

    /// The source of the total.
    public var total: TotalCount

    /// Creates a recognized pagination.
    public init(pagination: Pagination, total: TotalCount) {
        self.pagination = pagination
        self.total = total
    }
}

/// The validators of a response, for conditional requests.
///
/// They are sent back unchanged. If there is an entity tag, it is sent alone: services differ in
/// how they handle both.
///
/// Source: RFC 9110, “Validator Fields” and “Conditional Requests”.
public struct CacheValidator: Hashable, Sendable {
    /// The entity tag, from the `ETag` field.
    public var tag: String?

    /// The modification date, from the `Last-Modified` field.
    public var modified: String?

    /// Creates a validator; nil if both values are nil.
    public init?(tag: String?, modified: String?) {
        guard tag != nil || modified != nil else { return nil }
        self.tag = tag
        self.modified = modified
    }

    /// Returns whether header fields contain the same validator, by weak comparison of entity tags.
    func isSame(in headers: HTTPFields) -> Bool {
        guard let tag else { return modified == headers[.lastModified] }
        func opaque(_ tag: String) -> Substring {
            tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        }
        return headers[.eTag].map(opaque) == opaque(tag)
    }
}
