import TidemarkRemote

extension PageResponse.NotModified {
    /// What a 304 response says about the pages after an unmodified page.
    enum End: Equatable {
        /// They are the same as before.
        case same
        /// They have changed.
        case different
        /// Not known: the response may omit the header fields that would say so.
        case unclear
    }

    /// Compares what follows the page with what followed it when it was cached.
    ///
    /// Where header fields mark the last page, an unmodified page may be followed by a new page,
    /// because a 304 response need not repeat these fields. A page that is not full is the last
    /// one, and so is one whose total is unchanged.
    ///
    /// Source: RFC 9110, section 15.4.5, on the fields of a 304 response.
    func end(comparedTo entry: PageCacheEntry?) -> End {
        guard let entry, next == nil, entry.next == nil else { return .same }
        switch request.pagination {
        case .automatic: break
        // If that was recognized rather than configured, a link may appear later.
        case .none: guard request.resource.style.pagination == .automatic else { return .same }
        case .nextInBody, .token, .keyset: return .same
        case .number, .offset:
            // Without a total, the last page is an empty one.
            guard !request.total.isInBody else { return .same }
        case .linkHeader, .nextHeader, .headerToken: break
        }
        if let total { return total == entry.total ? .same : .different }
        guard entry.total == nil || request.total.isInBody else { return .unclear }
        if let pageSize { return entry.count < pageSize ? .same : .unclear }
        // Common page sizes are multiples of 4, 5 or 6. A list with another number of objects has a
        // single page.
        let mayBeFull = [4, 5, 6].contains { entry.count.isMultiple(of: $0) }
        return mayBeFull && entry.count > 0 ? .unclear : .same
    }

    /// The number of objects in a full page: the requested page size, or that of earlier pages.
    private var pageSize: Int? {
        guard request.number > 1 else {
            return request.resource.style.parameters.pageSize.lazy.compactMap { Int($0.value) }
                .first
        }
        return request.before / (request.number - 1)
    }
}
