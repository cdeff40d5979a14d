import TidemarkRemote

extension NotModifiedPage {
    /// What a response 304 says about the pages after an unmodified one.
    enum End: Equatable {
        /// They are as before.
        case same
        /// They are not.
        case different
        /// It may have left out the header fields that would say so.
        case unclear
    }

    /// Compares what follows the page with what followed it when it was read.
    ///
    /// Where header fields say whether a page is the last, it may be unmodified while there is a
    /// new page after it: a response 304 need not repeat them. A page that is not full has none
    /// after it, nor has one whose total is unchanged.
    ///
    /// Source: RFC 9110, 15.4.5, on the fields that a response 304 has.
    func end(like record: PageCacheEntry?) -> End {
        guard let record, next == nil, record.next == nil else { return .same }
        switch request.pagination {
        case .automatic: break
        // Where that was recognized, and not configured, a link may appear later.
        case .none: guard request.resource.style.pagination == .automatic else { return .same }
        case .nextInBody, .token, .keyset: return .same
        case .number, .offset:
            // Without a total the last page is an empty one.
            guard !request.total.isInBody else { return .same }
        case .linkHeader, .nextHeader: break
        }
        if let total { return total == record.total ? .same : .different }
        guard record.total == nil || request.total.isInBody else { return .unclear }
        if let pageSize { return record.count < pageSize ? .same : .unclear }
        // Page sizes are multiples of 4, 5 or 6: of another number the list has no second page.
        let mayBeFull = [4, 5, 6].contains { record.count.isMultiple(of: $0) }
        return mayBeFull && record.count > 0 ? .unclear : .same
    }

    /// How many objects a full page has: as many as are requested, or as those before it had.
    private var pageSize: Int? {
        guard request.number > 1 else {
            return request.resource.style.pageSize.lazy.compactMap { Int($0.value) }.first
        }
        return request.before / (request.number - 1)
    }
}
