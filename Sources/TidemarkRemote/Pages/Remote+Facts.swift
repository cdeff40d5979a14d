import HTTPTypes
import TidemarkJSON
import TidemarkModel

import struct Foundation.URL

extension Remote {
    /// Reads a response that is in memory.
    func page(
        _ request: PageRequest,
        _ bytes: [UInt8],
        _ target: PageTarget,
        _ head: ResponseContext
    ) throws -> Page {
        let document = try document(bytes, of: head)
        let body = BodyFacts(document)
        let envelope = envelope(of: request.resource, body)
        if let name = body.repeatedMember(around: envelope) {
            throw RemoteError.noList(
                head.label,
                "“\(name)” occurs twice; which of the two is meant is unknown"
            )
        }
        var trace = ItemTrace(request.resource.style, head.headers)
        document.trace(envelope, &trace)
        let facts = try facts(request, target, head.headers, body, trace)
        return Page(
            request: request,
            document: document,
            facts: facts,
            envelope: envelope,
            limits: limits,
            label: head.label
        )
    }

    func document(_ bytes: [UInt8], of head: ResponseContext) throws -> JSONDocument {
        do {
            return try JSONDocument(bytes, limits: limits.json)
        } catch {
            throw RemoteError.broken(head.label, head.status, error)
        }
    }

    func envelope(of resource: RemoteResource, _ body: BodyFacts) -> [String] {
        switch resource.style.envelope {
        case .none: []
        case .keyPath(let path): body.isArray ? [] : path
        }
    }

    /// Returns the metadata of a page.
    func facts(
        _ request: PageRequest,
        _ target: PageTarget,
        _ headers: HTTPFields,
        _ body: BodyFacts,
        _ seen: ItemTrace
    ) throws -> PageMetadata {
        let style = request.resource.style
        var request = request
        var facts = PageMetadata(count: seen.count)
        if style.isRecognized, request.isRecognizable {
            facts.paging = try recognized(request, target, headers, body, seen)
            request.paging = facts.paging
        }
        facts.total = request.total.number(body, headers)
        facts.validator = style.validator(in: headers)
        facts.cursor = cursor(request, seen, headers)
        facts.isCursorOver = HTTPDate(headers)?.isPast(facts.cursor) ?? false
        facts.latest = request.mode == .keys ? nil : seen.latest
        facts.wasReset = wasReset(request, seen, headers)
        try expectOtherObjects(request, target, seen)
        facts.next = try next(after: request, target, headers, body, seen, total: facts.total)
        facts.next?.pages = ListRecognition.pages(
            body,
            headers,
            list: envelope(of: request.resource, body)
        )
        if facts.next == nil { try expectEnd(request, target, headers, body, seen) }
        return facts
    }

    /// Recognizes the pagination and the total of a list from its first page.
    private func recognized(
        _ request: PageRequest,
        _ target: PageTarget,
        _ headers: HTTPFields,
        _ body: BodyFacts,
        _ trace: ItemTrace
    ) throws -> RecognizedPaging? {
        let style = request.resource.style
        let list = envelope(of: request.resource, body)
        let found = ListRecognition(
            body,
            headers,
            list: list,
            count: trace.count,
            believingTotals: style.total != .none,
            isWhole: request.mode.isWhole
        )
        .hiding(target.secrets)
        let isFound = style.pagination == .automatic
        // The counts on a page in the middle of a list prove nothing.
        guard request.number == 1 else {
            guard isFound else { return request.paging }
            return found.pagination.map {
                RecognizedPaging(pagination: $0, total: request.total)
            }
        }
        // A document without the list is not a page of it; reading its items reports that.
        if isFound, let sign = found.unreachable, !body.lacks(list) {
            throw RemoteError.incomplete(target.answered, sign, count: trace.count)
        }
        return RecognizedPaging(
            pagination: isFound ? found.pagination ?? .none : style.pagination,
            // If the response lacks the configured total, the total may have another name.
            total: style.total.number(body, headers) == nil ? found.total : style.total
        )
    }

    /// Checks that nothing on the last page of a list indicates further objects.
    ///
    /// A list that the configured pagination reads in part must not be taken for the whole: rows
    /// that the service still has would be deleted.
    private func expectEnd(
        _ request: PageRequest,
        _ target: PageTarget,
        _ headers: HTTPFields,
        _ body: BodyFacts,
        _ trace: ItemTrace
    ) throws {
        let style = request.resource.style
        // With `pagination: none` and `deletes: none`, only the first page is wanted.
        guard style.pagination != .none || style.deletes != .none else { return }
        let list = envelope(of: request.resource, body)
        // A document without the list is not a page of it; reading its items reports that.
        guard !body.lacks(list) else { return }
        let sign = ListRecognition.sign(
            body,
            headers,
            list: list,
            count: trace.count,
            page: request.number,
            // With several pages, the pull compares the totals, because objects may have moved
            // between pages. With changes, the total may be that of the whole list.
            believingTotals: style.total != .none && request.number == 1 && request.mode.isWhole
        )
        guard let sign else { return }
        let shown = ServiceMessage.oneLine(target.secrets.hiding(in: sign), limit: 100)
        throw RemoteError.incomplete(target.answered, shown, count: request.before + trace.count)
    }

    /// Checks that a service with numbered pages has not returned the previous page again.
    private func expectOtherObjects(
        _ request: PageRequest,
        _ target: PageTarget,
        _ trace: ItemTrace
    ) throws {
        guard let page = trace.fingerprint, page == request.earlierPage else { return }
        throw RemoteError(
            .paginationLoop,
            "\(target.answered.shown) has the same objects as the page before: the service "
                + "ignores the parameter that selects the page.",
            hint: "Set `pagination` to the way in which the service pages its lists."
        )
    }

    /// Returns the cursor that a page establishes.
    private func cursor(
        _ request: PageRequest,
        _ trace: ItemTrace,
        _ headers: HTTPFields
    ) -> String? {
        guard request.mode != .keys else { return nil }
        switch request.resource.style.delta {
        case .none:
            let isWhole = request.resource.style.validation == .collection
            return isWhole && request.number == 1 ? headers[.eTag] : nil
        case .version:
            return request.number == 1 ? headers.version : nil
        case .since:
            let query = ListQuery(style: request.resource.style, mode: request.mode)
            guard request.number == 1 || query.isOldestFirst else { return nil }
            return trace.latest?.text
        }
    }

    /// Returns whether the list has another version although no change was returned.
    private func wasReset(
        _ request: PageRequest,
        _ trace: ItemTrace,
        _ headers: HTTPFields
    ) -> Bool {
        guard case .version = request.resource.style.delta,
            case .changes(let version) = request.mode, request.number == 1
        else { return false }
        // As after a server was wiped: its new collection has no tombstones for the old objects.
        return trace.count == 0 && headers.version != nil && headers.version != version
    }
}

extension JSONDocument {
    /// Records the objects of the list, reading no more of them than necessary.
    fileprivate func trace(_ envelope: [String], _ trace: inout ItemTrace) {
        withRoot { root in
            let list = envelope.isEmpty ? root : root.node(at: envelope.joined(separator: "."))
            if list?.kind == .object { trace.add(count: 1) }
            guard let list, list.kind == .array else { return }
            var last: JSONNode?
            for element in list.elements {
                if trace.isCountEnough { trace.add(count: 1) } else { trace.add(element) }
                last = element
            }
            if let last { trace.end(with: last) }
        }
    }
}

extension TotalCount {
    /// Returns the total that a response contains at this source; nil if it has none.
    func number(_ body: BodyFacts?, _ headers: HTTPFields) -> Int? {
        switch self {
        case .none, .automatic: nil
        case .body(let path): body?.integer(at: path)
        case .header(let name):
            HTTPField.Name(name).flatMap { headers[$0] }.flatMap { text in
                // In `Content-Range: items 0-24/573` the total is after the slash.
                Int(text) ?? text.split(separator: "/").last.flatMap { Int($0) }
            }
        }
    }
}

extension HTTPFields {
    /// The version of a whole list: its entity tag without the prefix of a weak tag.
    ///
    /// A proxy that compresses the response makes the tag weak. A service that expects its version
    /// in a parameter would not recognize the prefix.
    fileprivate var version: String? {
        self[.eTag].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    }
}

extension ListStyle {
    /// Returns the validator of a response, if the service supports conditional requests.
    func validator(in headers: HTTPFields) -> CacheValidator? {
        switch validation {
        case .none: nil
        case .pages, .collection:
            CacheValidator(tag: headers[.eTag], modified: modified(headers))
        }
    }

    /// Returns `Last-Modified` if the response cannot be modified again within the same second.
    ///
    /// Source: RFC 9110, “Validator Fields”, on when a modification date is a strong validator.
    private func modified(_ headers: HTTPFields) -> String? {
        guard let text = headers[.lastModified], let date = HTTPDate(headers),
            let modified = DateFormat.rfc1123.microseconds(from: text),
            modified + 1_000_000 <= date.second
        else { return nil }
        return text
    }
}

extension ListStyle {
    /// Whether the pagination or a missing total is recognized from the first response of a list.
    fileprivate var isRecognized: Bool { pagination == .automatic || total != .none }
}

extension PageRequest {
    /// Whether the page may show how its list continues: the first page does, and so does any page
    /// of a list whose first response showed one page only.
    fileprivate var isRecognizable: Bool {
        number == 1
            || resource.style.pagination == .automatic
                && (paging.map { $0.pagination == .none } ?? true)
    }
}
