import HTTPTypes
import TidemarkModel

package import struct Foundation.URL

extension Remote {
    /// Returns the request for the page after the given one; nil for the last page.
    func next(
        after request: PageRequest,
        _ target: PageTarget,
        _ headers: HTTPFields,
        _ body: BodyFacts?,
        _ trace: ItemTrace,
        total: Int?
    ) throws -> PageRequest? {
        let isDone = total.map { request.before + trace.count >= $0 } ?? false
        let hasMore = trace.count > 0 && !isDone
        var url: URL?
        switch request.pagination {
        case .none: return nil
        case .automatic:
            // The pagination of an unmodified page, or of one in the middle of a list, is only
            // shown by its header fields.
            url = try link(LinkField.target(of: "next", in: headers), target)
        case .nextInBody(let path):
            url = try link(body?.link(at: path) ?? .none, path, target)
        case .linkHeader:
            url = try link(LinkField.target(of: "next", in: headers), target)
        case .nextHeader(let name):
            url = try link(HTTPField.Name(name).flatMap { headers[$0] }, target)
        case .number(let parameter):
            guard hasMore else { return nil }
            url = target.asked.setting(parameter) { Int($0 ?? "1").map { "\($0 + 1)" } }
        case .offset(let parameter):
            guard hasMore else { return nil }
            url = target.asked.setting(parameter) { _ in "\(request.before + trace.count)" }
        case .token(let path, let parameter):
            guard let token = body?.word(at: path), !token.isEmpty else { return nil }
            url = target.asked.setting(parameter) { _ in token }
        case .keyset:
            // With a condition on the key, a service may count only the remaining objects: the
            // total is reliable on the first page alone.
            guard trace.count > 0, !isDone || request.number > 1 else { return nil }
            url = try behind(request, target, trace)
        }
        guard let url else { return nil }
        return try laterChanges(after: request, target, trace)
            ?? follow(
                url,
                after: request,
                target,
                trace.count,
                earlierPage: request.isCounted ? trace.fingerprint : nil
            )
    }

    /// Returns the request for the page that followed an unmodified page when it was read before.
    ///
    /// - Parameters:
    ///   - page: The unmodified page.
    ///   - url: The stored URL of the next page.
    ///   - mode: The part of the list that the next page was fetched for.
    ///   - count: The number of objects on the unmodified page.
    /// - Returns: The request.
    /// - Throws: ``RemoteError`` if that page was already read, or exceeds the limit for pages.
    package func next(
        behind page: NotModifiedPage,
        at url: URL,
        for mode: FetchMode,
        count: Int
    ) throws -> PageRequest {
        let next = try follow(url, after: page.request, page.target, count)
        return mode == next.mode ? next : next.moved(to: mode)
    }

    /// Replaces the next page by a new request for the changes since the latest change on this
    /// page.
    ///
    /// If changes are sorted from the oldest, no object is missed this way, even if objects move
    /// between pages in the meantime.
    private func laterChanges(
        after request: PageRequest,
        _ target: PageTarget,
        _ trace: ItemTrace
    ) throws -> PageRequest? {
        let style = request.resource.style
        guard style.drift == .possible, case .changes(let since) = request.mode,
            case .since(let delta) = style.delta, !delta.order.isEmpty,
            // Otherwise the request would start at the same time again, and never advance.
            let before = ChangeStamp(since), let latest = trace.latest, before < latest.earlier
        else { return nil }
        let query = ListQuery(style: style, mode: .changes(since: latest.text))
        guard var parts = PageQuery(try service.address(of: request.resource)) else { return nil }
        parts.set(query.first)
        guard let url = parts.url else { return nil }
        return try follow(url, after: request, target, trace.count)
            .moved(to: .changes(since: latest.text))
    }

    private func link(_ link: PageLink, _ path: [String], _ target: PageTarget) throws -> URL? {
        switch link {
        case .none:
            return nil
        case .address(let text):
            return try self.link(text, target)
        case .unknown:
            let name = path.joined(separator: ".")
            throw RemoteError(
                .noList,
                "“\(name)” of \(target.answered.shown) is not the address of a next page, so the "
                    + "list may have further pages.",
                hint: "Set pagination to the way in which the service pages its lists."
            )
        }
    }

    private func link(_ text: String?, _ target: PageTarget) throws -> URL? {
        guard let text, !text.isEmpty else { return nil }
        return try service.admit(
            text,
            from: target.answered,
            code: .linkRefused,
            hiding: target.secrets
        )
    }

    private func behind(
        _ request: PageRequest,
        _ target: PageTarget,
        _ trace: ItemTrace
    ) throws -> URL? {
        guard let key = trace.lastKey else {
            throw RemoteError(
                .noList,
                "The last object of \(target.asked.shown) has no key after which the next page could be requested.",
                hint: "Check the pagination: it specifies the member that contains an object's key."
            )
        }
        let query = ListQuery(style: request.resource.style, mode: request.mode)
        let place = ListQuery.Place(key: key, stamp: trace.lastStamp)
        guard var parts = PageQuery(target.asked) else { return nil }
        parts.set(query.conditions(behind: place))
        return parts.url
    }

    private func follow(
        _ next: URL,
        after request: PageRequest,
        _ target: PageTarget,
        _ count: Int,
        earlierPage: Int? = nil
    ) throws -> PageRequest {
        let next = target.secrets.sealed(next)
        let seen = request.seen.union(
            [target.asked, target.answered].map { target.secrets.sealed($0).absoluteString }
        )
        guard !seen.contains(next.absoluteString) else {
            throw RemoteError(
                .paginationLoop,
                "The pages of \(request.resource.path) form a loop: \(target.answered.shown) names "
                    + "\(next.shown) as its next page, which was already read.",
                hint: "Check the pagination; if it is right, the service is broken."
            )
        }
        guard request.number < limits.pages else {
            throw RemoteError(
                .pageLimit,
                "\(target.answered.shown) has a next page, beyond the limit of \(limits.pages).",
                hint: "Raise the limit if the list is that long."
            )
        }
        return PageRequest(
            resource: request.resource,
            mode: request.mode,
            url: next,
            number: request.number + 1,
            before: request.before + count,
            paging: request.paging,
            seen: seen,
            earlierPage: earlierPage
        )
    }
}

extension PageRequest {
    /// Returns a request for the same URL as the first page of another part of the list.
    fileprivate func moved(to mode: FetchMode) -> PageRequest {
        PageRequest(
            resource: resource,
            mode: mode,
            url: url,
            number: number,
            before: 0,
            paging: paging,
            seen: seen
        )
    }
}

extension URL {
    /// Returns the URL with a new value of a parameter; nil if there is no new value.
    fileprivate func setting(_ parameter: String, _ value: (String?) -> String?) -> URL? {
        guard var query = PageQuery(self), let new = value(query[parameter]) else { return nil }
        query.set(parameter, new)
        return query.url
    }
}
