import HTTPTypes
import TidemarkModel

import struct Foundation.URL

/// Reads the metadata of a page from its response: the total, the cursor and the next page.
struct MetadataReader {
    let service: Service
    let limits: Limits

    /// The request for the page; its pagination may be recognized from the response.
    var request: PageRequest

    let context: ResponseContext

    /// The members of the document; ``DocumentMembers/none`` for a response without a body.
    let members: DocumentMembers

    /// The objects of the page.
    let items: ItemSummary

    /// Whether the response shows that it is the whole list.
    private var isEndConfirmed = false

    init(
        _ remote: Remote,
        of request: PageRequest,
        in context: ResponseContext,
        members: DocumentMembers = .none,
        items: ItemSummary? = nil
    ) {
        service = remote.service
        limits = remote.limits
        self.request = request
        self.context = context
        self.members = members
        self.items = items ?? ItemSummary(of: request.resource.style, in: context.headers)
    }

    var style: ResourceStyle { request.resource.style }

    var evidence: PaginationEvidence {
        PaginationEvidence(members, headers: context.headers, list: list)
    }

    /// The path of the list in the document.
    var list: [String] { style.path(in: members) }

    /// The number of objects in the whole list, if the response contains it.
    var total: Int? { request.total.number(in: members, headers: context.headers) }

    /// Reads the metadata.
    ///
    /// - Throws: ``RemoteError`` if the list cannot be continued, or if it ends although the
    ///   response indicates further objects.
    mutating func metadata() throws -> PageMetadata {
        var metadata = PageMetadata(count: items.count)
        if isRecognizable {
            metadata.paging = try recognizedPaging()
            request.paging = metadata.paging
        } else if isFirst, let paging = shownPaging {
            metadata.paging = paging
            request.paging = paging
        }
        metadata.total = total
        metadata.validator =
            style.validation == .none ? nil : CacheValidator(in: context.headers)
        metadata.latest = request.mode == .keys ? nil : items.latest
        metadata.wasReset = wasReset
        try expectOtherObjects()
        try expectFirstPage()
        switch try continuation(total: metadata.total) {
        case .next(let next):
            metadata.next = next
        case .suspected(let page):
            metadata.suspected = page
        case .end(let isExplicit):
            try expectEnd(isExplicit: isExplicit)
            if !isExplicit, !isEndConfirmed { metadata.suspected = try suspectedPage() }
        }
        metadata.cursor = try metadata.next == nil || style.delta.markPath == nil ? cursor : nil
        metadata.isCursorOver = context.date?.isPast(metadata.cursor) ?? false
        return metadata
    }

    // MARK: Recognition

    /// Whether the page may show how its list continues: the first page does, and so does any page
    /// of a list whose first response showed one page only.
    private var isRecognizable: Bool {
        guard style.pagination == .automatic else { return style.total != .none && isFirst }
        return isFirst || request.paging.map { $0.pagination == .none } ?? true
    }

    var isFirst: Bool { request.number == 1 }

    /// Recognizes the pagination and the total of a list.
    private mutating func recognizedPaging() throws -> RecognizedPaging? {
        let isAutomatic = style.pagination == .automatic
        let found = PaginationRecognition(
            evidence,
            count: items.count,
            usesTotals: style.total != .none,
            isWhole: request.mode.isWhole
        )
        isEndConfirmed = found.isConfirmed
        // The counts on a page in the middle of a list prove nothing.
        guard isFirst else {
            return found.pagination.map { recognized($0, total: request.total) }
        }
        // A document without the list is not a page of it; reading its items reports that.
        if isAutomatic, let indication = found.unreachable, !members.lacks(list) {
            throw incomplete(indication, count: items.count)
        }
        let hasTotal = style.total.number(in: members, headers: context.headers) != nil
        return recognized(
            isAutomatic ? found.pagination ?? remembered ?? .none : style.pagination,
            // If the response lacks the configured total, the total may have another name.
            total: hasTotal ? style.total : found.total
        )
    }

    /// The pagination that suspected evidence of an earlier response has led to.
    private var remembered: Pagination? {
        guard !isEndConfirmed, let known = request.paging?.pagination, known != .none else {
            return nil
        }
        // Where pages are counted, the length of the first one was the evidence.
        return known.countingParameter != nil || known == suspectedEvidence?.pagination
            ? known : nil
    }

    // MARK: Checks

    /// Checks that nothing on the last page of a list indicates further objects.
    ///
    /// A list that the configured pagination reads in part must not be taken for the whole: rows
    /// that the service still has would be deleted.
    ///
    /// - Parameter isExplicit: Whether the page says that it is the last one, so that links and
    ///   tokens to a next one mean nothing.
    /// - Throws: ``RemoteError/Code/incompleteList``.
    private func expectEnd(isExplicit: Bool) throws {
        // With `pagination: none` and `deletes: none`, only the first page is wanted.
        guard style.pagination != .none || style.deletes != .none else { return }
        // A document without the list is not a page of it; reading its items reports that.
        guard !members.lacks(list) else { return }
        let indication = evidence.unreachable(
            fromLastPage: request.number,
            count: items.count,
            usesLinks: !isExplicit,
            // With several pages, the pull compares the totals, because objects may have moved
            // between pages. With changes, the total may be that of the whole list.
            usesTotals: style.total != .none && isFirst && request.mode.isWhole
        )
        guard let indication else { return }
        throw incomplete(indication, count: request.before + items.count)
    }

    private func incomplete(_ indication: String, count: Int) -> RemoteError {
        let quoted = ServiceMessage.oneLine(context.secrets.hiding(in: indication), limit: 100)
        return RemoteError(
            .incompleteList,
            "\(context.url.shown) ends after \(count) objects, though it says that there are more "
                + "(\(quoted)).",
            hint: "Set `pagination` to the way in which the service pages its lists; with "
                + "`deletes: none` and `pagination: none` its first page is taken alone."
        )
    }

    /// Checks that a service with numbered pages has not returned the previous page again.
    private func expectOtherObjects() throws {
        guard let page = items.fingerprint, page == request.previousFingerprint else { return }
        throw RemoteError(
            .paginationLoop,
            "\(context.url.shown) has the same objects as the page before: the service ignores the "
                + "parameter that selects the page.",
            hint: "Set `pagination` to the way in which the service pages its lists."
        )
    }

    // MARK: Changes

    /// The cursor that the page establishes.
    private var cursor: String? {
        get throws {
            guard request.mode != .keys else { return nil }
            switch style.delta {
            case .none:
                let isWhole = style.validation == .collection
                return isWhole && isFirst ? context.headers[.eTag] : nil
            case .version:
                return isFirst ? context.headers.opaqueTag : nil
            case .since:
                let query = ListQuery(style: style, mode: request.mode)
                return isFirst || query.isOldestFirst ? items.latest?.text : nil
            case .token(let path, _):
                return members.text(at: path).flatMap { $0.isEmpty ? nil : $0 }
            case .link(let path):
                return try link(at: path).map { context.secrets.sealed($0).absoluteString }
            }
        }
    }

    /// Whether the list has another version although no change was returned.
    private var wasReset: Bool {
        guard case .version = style.delta, let version = request.mode.cursor, isFirst,
            let current = context.headers.opaqueTag
        else { return false }
        // As after a server was wiped: its new collection has no tombstones for the old objects.
        return items.count == 0 && current != version
    }
}

extension TotalCount {
    /// Returns the total that a response contains at this source; nil if it has none.
    ///
    /// A negative number does not count, as services write it that do not (`X-Total-Count: -1`);
    /// it is also compared with numbers of rows.
    func number(in members: DocumentMembers, headers: HTTPFields) -> Int? {
        value(in: members, headers: headers).flatMap { $0 < 0 ? nil : $0 }
    }

    private func value(in members: DocumentMembers, headers: HTTPFields) -> Int? {
        switch self {
        case .none, .automatic: nil
        case .body(let path): members.integer(at: path)
        case .header(let name):
            headers[named: name].flatMap { text in
                // RFC 9110, 14.4: in `Content-Range: items 0-24/573` the total is after the slash.
                Int(text) ?? text.split(separator: "/").last.flatMap { Int($0) }
            }
        }
    }
}
