package import struct Foundation.URL

/// A request for a page of a resource: the first page, or the next page that a previous one named.
package struct PageRequest: Hashable, Sendable {
    /// The resource.
    package let resource: RemoteResource

    /// The part of the list to fetch.
    package internal(set) var mode: FetchMode

    /// The URL of the page; nil for the first page of the resource.
    package let url: URL?

    /// The number of the page, counted from 1 since the list was started.
    package let number: Int

    /// The number of objects on the pages before this one.
    package internal(set) var before: Int

    /// The pagination and the total recognized from an earlier response of the list; nil if none
    /// were recognized.
    package var paging: RecognizedPaging?

    /// The validator of an earlier response for the page.
    ///
    /// If set, the request is conditional: the service sends the page only if it was modified.
    package var validator: CacheValidator?

    /// The URLs of the pages of this list that were already requested, to detect loops.
    var visited: Set<String> = []

    /// The number of pages before this one, in succession, that had no objects.
    var emptyPages = 0

    /// The fingerprint of the previous page, if pages are requested by number or offset; nil
    /// otherwise.
    ///
    /// A service that ignores the parameter would return the same page again and again.
    var previousFingerprint: Int?

    /// The number of pages that the previous response reported.
    ///
    /// A 404 response for one of them is an error.
    var reportedPages: Int?

    /// Creates a request for the first page of a resource.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - mode: The part of the list to fetch. Defaults to all objects.
    package init(first resource: RemoteResource, for mode: FetchMode = .list) {
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
    package init(
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
        paging: RecognizedPaging? = nil
    ) {
        self.resource = resource
        self.mode = mode
        self.url = url
        self.number = number
        self.before = before
        self.paging = paging
    }
}

extension PageRequest {
    /// Records that the page had objects when the previous, unmodified page was read: a 404
    /// response is then an error, and not the end of the list.
    package mutating func expectObjects() {
        reportedPages = max(reportedPages ?? 0, number)
    }

    /// The URL of the changes, if an earlier response named it; nil otherwise.
    var changesURL: URL? {
        guard case .link = resource.style.delta else { return nil }
        return mode.cursor.flatMap { URL(string: $0) }
    }

    /// The pagination of the list: as configured, or as recognized from a response.
    package var pagination: Pagination {
        let configured = resource.style.pagination
        return configured == .automatic ? paging?.pagination ?? .automatic : configured
    }

    /// The number of the first page or object, as configured or recognized; nil if it is unknown.
    var base: Int? { resource.style.base ?? paging?.base }

    /// The source of the list's total: as recognized from a response, or as configured.
    package var total: TotalCount { paging?.total ?? resource.style.total }

    /// Whether further pages are requested by counting pages or objects alone, so that no response
    /// names the next page.
    var isCounted: Bool { pagination.countingParameter != nil }

    /// Whether a 404 response means that the list ended with the previous page.
    ///
    /// Services with numbered pages respond so after the last one. A page that the previous
    /// response had reported must exist.
    var mayFollowLastPage: Bool { number > 1 && isCounted && number > reportedPages ?? 0 }

    /// The request without recognized pagination, for a page of which only the header fields are
    /// known.
    var unrecognized: PageRequest {
        var request = self
        request.paging = nil
        return request
    }

    /// Returns the request of a list whose first page or object has a number.
    func counted(from base: Int) -> PageRequest {
        var request = self
        request.paging = RecognizedPaging(pagination: pagination, total: total, base: base)
        return request
    }

    /// The request of a list of which it is unknown which number the first page or object has.
    package var uncounted: PageRequest {
        var request = self
        request.paging?.base = nil
        return request
    }

    /// Returns a request for the same URL as the first page of another part of the list.
    func moved(to mode: FetchMode) -> PageRequest {
        var request = self
        request.mode = mode
        request.before = 0
        request.emptyPages = 0
        request.previousFingerprint = nil
        request.reportedPages = nil
        return request
    }
}

/// The pagination and the source of the total of a list, recognized from a response.
package struct RecognizedPaging: Hashable, Sendable {
    /// The pagination.
    package var pagination: Pagination

    /// The source of the total.
    package var total: TotalCount

    /// The number of the first page or object; nil if it is unknown, or nothing is counted.
    package var base: Int?

    /// Creates a recognized pagination.
    package init(pagination: Pagination, total: TotalCount, base: Int? = nil) {
        self.pagination = pagination
        self.total = total
        self.base = base
    }
}
