import TidemarkRemote

extension UnchangedPage {
    /// Whether the page is as it was in what is no part of its body, too.
    ///
    /// Where header fields tell whether a page is the last, it may be as it was while there are
    /// others behind it: an answer that says no more than that (304) need not repeat them. A page
    /// that is not full has none behind it, nor has one where as many are as there were.
    func isBelieved(as record: PageRecord?) -> Bool {
        guard let record, next == nil, record.next == nil else { return true }
        switch request.resource.style.pagination {
        case .none, .nextInBody, .token, .keyset: return true
        case .number, .offset:
            // Without a total the last page is an empty one.
            guard case .header = request.resource.style.total else { return true }
        case .linkHeader, .nextHeader: break
        }
        if let total { return total == record.total }
        return pageSize.map { record.count < $0 } ?? false
    }

    /// How many objects a full page has: as many as are asked for, or as those before it had.
    private var pageSize: Int? {
        guard request.number > 1 else {
            return request.resource.style.pageSize.lazy.compactMap { Int($0.value) }.first
        }
        return request.before / (request.number - 1)
    }
}
