import HTTPTypes
import TidemarkModel

import struct Foundation.URL

extension Remote {
    /// Reads an answer that stands in memory.
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
            return try JSONDocument(bytes, limits: limits)
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

    /// What a page tells beside its objects.
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
        facts.latest = request.purpose == .keys ? nil : seen.latest
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

    /// How a list continues, as its first page says.
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
            isWhole: request.purpose.isWhole
        )
        .hiding(target.secrets)
        let isFound = style.pagination == .automatic
        // In the middle of a list the counts of one page prove nothing.
        guard request.number == 1 else {
            guard isFound else { return request.paging }
            return found.pagination.map {
                RecognizedPaging(pagination: $0, total: request.total)
            }
        }
        // A document without the list is no page of it, which its reader reports.
        if isFound, let sign = found.unreachable, !body.lacks(list) {
            throw RemoteError.incomplete(target.answered, sign, count: trace.count)
        }
        return RecognizedPaging(
            pagination: isFound ? found.pagination ?? .none : style.pagination,
            // A configured total that the response lacks may have another name.
            total: style.total.number(body, headers) == nil ? found.total : style.total
        )
    }

    /// Checks that the last page of a list is the last one by all that it says.
    ///
    /// A list of which there is more than the configuration follows must not be taken for the
    /// whole: rows would be deleted that the service has.
    private func expectEnd(
        _ request: PageRequest,
        _ target: PageTarget,
        _ headers: HTTPFields,
        _ body: BodyFacts,
        _ trace: ItemTrace
    ) throws {
        let style = request.resource.style
        // Who asks for one page, of a list that deletes nothing, gets it.
        guard style.pagination != .none || style.deletes != .none else { return }
        let list = envelope(of: request.resource, body)
        // A document without the list is no page of it, which its reader reports.
        guard !body.lacks(list) else { return }
        let sign = ListRecognition.sign(
            body,
            headers,
            list: list,
            count: trace.count,
            page: request.number,
            // Of several pages the pull compares the total, for objects may have moved; of changes
            // the total may be that of the whole list.
            believingTotals: style.total != .none && request.number == 1 && request.purpose.isWhole
        )
        guard let sign else { return }
        let shown = ServiceMessage.oneLine(target.secrets.hiding(in: sign), limit: 100)
        throw RemoteError.incomplete(target.answered, shown, count: request.before + trace.count)
    }

    /// Checks that a service which counts pages has not returned the page before once more.
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

    /// The cursor that a page proves.
    private func cursor(
        _ request: PageRequest,
        _ trace: ItemTrace,
        _ headers: HTTPFields
    ) -> String? {
        guard request.purpose != .keys else { return nil }
        switch request.resource.style.delta {
        case .none:
            let isWhole = request.resource.style.validation == .collection
            return isWhole && request.number == 1 ? headers[.eTag] : nil
        case .version:
            return request.number == 1 ? headers.version : nil
        case .since:
            let query = ListQuery(style: request.resource.style, purpose: request.purpose)
            guard request.number == 1 || query.isOldestFirst else { return nil }
            return trace.latest?.text
        }
    }

    /// Whether a list has another version, and no change leads to it.
    private func wasReset(
        _ request: PageRequest,
        _ trace: ItemTrace,
        _ headers: HTTPFields
    ) -> Bool {
        guard case .version = request.resource.style.delta,
            case .changes(let version) = request.purpose, request.number == 1
        else { return false }
        return trace.count == 0 && headers.version != nil && headers.version != version
    }
}

extension JSONDocument {
    /// Looks at the objects under the envelope's keys, as far as that is needed.
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
    /// The number that an answer tells.
    func number(_ body: BodyFacts?, _ headers: HTTPFields) -> Int? {
        switch self {
        case .none, .automatic: nil
        case .body(let path): body?.integer(at: path)
        case .header(let name):
            HTTPField.Name(name).flatMap { headers[$0] }.flatMap { text in
                // `Content-Range: items 0-24/573` has it after the slash.
                Int(text) ?? text.split(separator: "/").last.flatMap { Int($0) }
            }
        }
    }
}

extension HTTPFields {
    /// The version of a whole list, as the service says it: the tag without the mark of a weak one.
    ///
    /// Whatever compresses an answer on its way makes its tag weak, and a service that takes the
    /// tag for a number does not know it then.
    fileprivate var version: String? {
        self[.eTag].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    }
}

extension ListStyle {
    /// The validator of an answer, where conditional requests prove anything.
    func validator(in headers: HTTPFields) -> CacheValidator? {
        switch validation {
        case .none: nil
        case .pages, .collection:
            CacheValidator(tag: headers[.eTag], modified: modified(headers))
        }
    }

    /// When the answer changed last, where it cannot change once more in that very second.
    ///
    /// Source: RFC 9110, “Validator Fields”, on when a time is a strong validator.
    private func modified(_ headers: HTTPFields) -> String? {
        guard let text = headers[.lastModified], let date = HTTPDate(headers),
            let modified = DateFormat.rfc1123.microseconds(from: text),
            modified + 1_000_000 <= date.second
        else { return nil }
        return text
    }
}

extension ListStyle {
    /// Whether the first response of a list shows something that is not configured.
    fileprivate var isRecognized: Bool { pagination == .automatic || total != .none }
}

extension PageRequest {
    /// Whether the page shows how its list continues: the first does, and any of a list that had
    /// one page at first.
    fileprivate var isRecognizable: Bool {
        number == 1
            || resource.style.pagination == .automatic
                && (paging.map { $0.pagination == .none } ?? true)
    }
}

extension PageRequest.Purpose {
    /// Whether the list has all objects, or the keys of all.
    fileprivate var isWhole: Bool {
        switch self {
        case .list, .keys: true
        case .changes: false
        }
    }
}
