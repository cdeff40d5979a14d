import HTTPTypes
import TidemarkModel

import struct Foundation.URL
import struct Foundation.URLComponents

extension MetadataReader {
    /// How a list continues after a page.
    enum Continuation {
        /// With the page that is requested so.
        case next(PageRequest)

        /// With a page that follows if it has other objects than this one.
        case suspected(SuspectedPage)

        /// It ends. Explicitly if the page says so, which outranks every link and token.
        case end(isExplicit: Bool)
    }

    /// Finds the next page.
    ///
    /// - Parameter total: The number of objects in the whole list, which ends pages that are
    ///   requested by counting.
    /// - Returns: The request for the next page, or that this is the last one.
    /// - Throws: ``RemoteError`` if the next page is unknown, was already read, belongs to another
    ///   service, or exceeds a limit.
    func continuation(total: Int?) throws -> Continuation {
        guard !evidence.isLastPage else { return .end(isExplicit: true) }
        guard let url = try nextURL(total: total) else { return .end(isExplicit: false) }
        // Services with a cursor on every page repeat that of an empty one, or link to it again.
        if items.count == 0, visited.contains(context.secrets.sealed(url).absoluteString) {
            return .end(isExplicit: true)
        }
        if let later = try laterChanges() { return .next(later) }
        var next = try follow(url, fingerprint: request.isCounted ? items.fingerprint : nil)
        next.reportedPages = evidence.pageCount
        return try firstCountedPage(otherwise: .page(next.counted(from: 1))).map(
            Continuation.suspected
        )
            ?? .next(next)
    }

    /// Returns the next page that the header fields of a response without a body name; nil if they
    /// name none.
    func linkedPage() throws -> PageRequest? {
        guard !evidence.isLastPage, let url = try nextURL(total: nil),
            !visited.contains(context.secrets.sealed(url).absoluteString)
        else { return nil }
        return try laterChanges() ?? follow(url)
    }

    func nextURL(total: Int?) throws -> URL? {
        let isDone = total.map { request.before + items.count >= $0 } ?? false
        let hasMore = items.count > 0 && !isDone
        switch request.pagination {
        case .none:
            return nil
        case .automatic, .linkHeader:
            // The pagination of an unmodified page, or of one in the middle of a list, is only
            // shown by its header fields.
            return try resolve(LinkField.target(of: "next", in: context.headers))
        case .nextInBody(let path):
            return try link(at: path)
        case .nextHeader(let name):
            return try resolve(context.headers[named: name])
        case .number(let parameter):
            let number = parameters?[parameter: parameter] ?? "\(request.base ?? 1)"
            guard hasMore, let number = Int(number), number < .max else { return nil }
            return url(with: parameter, "\(number + 1)")
        case .offset(let parameter):
            let first = request.base ?? 0
            return hasMore ? url(with: parameter, "\(first + request.before + items.count)") : nil
        case .token(let path, let parameter):
            guard let token = members.text(at: path), !token.isEmpty else { return nil }
            return url(with: parameter, token)
        case .headerToken(let name, let parameter):
            guard let token = context.headers[named: name], !token.isEmpty else { return nil }
            return url(with: parameter, token)
        case .keyset:
            // With a condition on the key, a service may count only the remaining objects: the
            // total is reliable on the first page alone.
            guard items.count > 0, !isDone || request.number > 1 else { return nil }
            return try urlAfterLastKey()
        }
    }

    var parameters: URLComponents? {
        URLComponents(url: context.requestedURL, resolvingAgainstBaseURL: true)
    }

    func url(with parameter: String, _ value: String) -> URL? {
        context.requestedURL.setting([QueryItem(parameter, value)])
    }

    func link(at path: [String]) throws -> URL? {
        switch members.link(at: path) {
        case .none:
            return nil
        case .url(let text):
            return try resolve(text)
        case .unknown:
            let name = path.joined(separator: ".")
            throw RemoteError(
                .noList,
                "“\(name)” of \(context.url.shown) is not the address of a next page, so the list "
                    + "may have further pages.",
                hint: "Set pagination to the way in which the service pages its lists."
            )
        }
    }

    private func resolve(_ link: String?) throws -> URL? {
        guard let link, !link.isEmpty else { return nil }
        return try service.resolve(link, from: context.url, hiding: context.secrets)
    }

    private func urlAfterLastKey() throws -> URL? {
        guard let key = items.lastKey else {
            throw RemoteError(
                .noList,
                "The last object of \(context.requestedURL.shown) has no key after which the next "
                    + "page could be requested.",
                hint: "Check the pagination: it specifies the member that contains an object's key."
            )
        }
        let query = ListQuery(style: style, mode: request.mode)
        let last = ListQuery.LastObject(key: key, stamp: items.lastStamp)
        return context.requestedURL.setting(query.conditions(after: last))
    }

    /// Returns a new request for the changes since the latest change on this page, in place of the
    /// next page.
    ///
    /// If changes are sorted from the oldest, no object is missed this way, even if objects move
    /// between pages in the meantime.
    private func laterChanges() throws -> PageRequest? {
        guard style.stability == .unstable, let cursor = request.mode.cursor,
            case .since(let delta) = style.delta, !delta.order.isEmpty,
            // Otherwise the request would start at the same time again, and never advance.
            let start = ChangeStamp(cursor), let latest = items.latest, start < latest.earlier
        else { return nil }
        let changes = FetchMode.changes(since: latest.text)
        let query = ListQuery(style: style, mode: changes)
        guard let url = try service.url(of: request.resource).setting(query.first) else {
            return nil
        }
        return try follow(url).moved(to: changes)
    }

    /// Returns the request for a following page.
    ///
    /// - Parameters:
    ///   - url: The URL of that page, which is stored without secrets.
    ///   - count: The number of objects on this page; nil for those that were summarized.
    ///   - fingerprint: The fingerprint of this page, which the following one must not have.
    /// - Returns: The request.
    /// - Throws: ``RemoteError`` if that page was already read, or exceeds the limit for pages.
    func follow(_ url: URL, count: Int? = nil, fingerprint: Int? = nil) throws -> PageRequest {
        let url = context.secrets.sealed(url)
        var next = PageRequest(
            resource: request.resource,
            mode: request.mode,
            url: url,
            number: request.number + 1,
            before: request.before + (count ?? items.count),
            paging: request.paging
        )
        next.visited = visited
        next.previousFingerprint = fingerprint
        next.emptyPages = (count ?? items.count) == 0 ? request.emptyPages + 1 : 0
        guard !next.visited.contains(url.absoluteString) else {
            throw RemoteError(
                .paginationLoop,
                "The pages of \(request.resource.path) form a loop: \(context.url.shown) names "
                    + "\(url.shown) as its next page, which was already read.",
                hint: "Check the pagination; if it is right, the service is broken."
            )
        }
        guard next.emptyPages < style.emptyPages else {
            throw RemoteError(
                .paginationLoop,
                "The last \(next.emptyPages) pages of \(request.resource.path) have no objects, and "
                    + "\(context.url.shown) names \(url.shown) as the next one.",
                hint: "Check the pagination; if there are as many empty pages in succession, set "
                    + "`emptyPages` to more."
            )
        }
        guard request.number < limits.http.pages else {
            throw RemoteError(
                .pageLimit,
                "\(context.url.shown) has a next page, beyond the limit of \(limits.http.pages).",
                hint: "Raise the limit if the list is that long."
            )
        }
        return next
    }

    /// The URLs of the pages that were read, including this one.
    private var visited: Set<String> {
        request.visited.union(
            [context.requestedURL, context.url].map { context.secrets.sealed($0).absoluteString }
        )
    }
}
