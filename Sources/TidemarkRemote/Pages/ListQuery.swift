import TidemarkModel

/// What the URL of a list asks for: everything, what has changed, or keys; from the beginning or
/// behind an object.
struct ListQuery {
    let style: ListStyle
    let purpose: PageRequest.Purpose

    /// The last object of the page before, where pages begin behind it.
    struct Place {
        let key: String
        let stamp: ChangeStamp?
    }

    /// The parameters of the first page.
    var first: [QueryItem] {
        var items = style.pageSize
        switch purpose {
        case .list: items += style.order
        case .changes: items += changeOrder
        case .keys: items += style.order + (style.keys ?? [])
        }
        return items + conditions(behind: nil)
    }

    private var changeOrder: [QueryItem] {
        if case .since(let since) = style.delta, !since.order.isEmpty { return since.order }
        return style.order
    }

    /// The parameters that say which objects are wanted, and in which order.
    func conditions(behind place: Place?) -> [QueryItem] {
        let since = sinceStamp
        var items: [QueryItem] = []
        switch style.delta {
        case .none: break
        case .version(let parameter):
            if case .changes(let version) = purpose { items.append(QueryItem(parameter, version)) }
        case .since(let delta):
            guard let since else { break }
            switch delta.condition {
            case .parameter(let name): items.append(QueryItem(name, since.text))
            case .template(let name, let text):
                items.append(QueryItem(name, text.replacing("{}", with: since.text)))
            case .document: break
            }
        }
        guard case .keyset(let keyset) = style.pagination else { return items }
        switch keyset.conditions {
        case .parameter(let name):
            if let place { items.append(QueryItem(name, place.key)) }
        case .document(let parameter, let order):
            let document = KeysetDocument(key: keyset.key, stamp: stampField)
            items.append(QueryItem(order, document.order))
            if let text = document.conditions(since: since, behind: place) {
                items.append(QueryItem(parameter, text))
            }
            // Usually one page has all changes: their number saves the request for an empty one.
            if place == nil, since != nil { items += counting }
        }
        return items
    }

    /// The parameters that add the number of objects to a page, where the service sends it on
    /// request by the same parameters.
    private var counting: [QueryItem] {
        guard case .query(let items) = style.count else { return [] }
        switch style.total {
        case .body, .automatic: break
        case .none, .header: return []
        }
        return items.filter { item in
            item.name != "limit" && !style.pageSize.contains { $0.name == item.name }
        }
    }

    /// The time from which changes are asked for: one printed unit before the cursor, for what the
    /// service stores may be later than what it prints.
    private var sinceStamp: ChangeStamp? {
        guard case .changes(let cursor) = purpose, case .since = style.delta else { return nil }
        return ChangeStamp(cursor)?.earlier
    }

    /// The member by which objects are ordered before their key: lists of keys do not have it.
    private var stampField: [String]? {
        switch (purpose, style.delta) {
        case (.keys, _), (_, .none), (_, .version): nil
        case (_, .since(let since)): since.field
        }
    }

    /// Whether objects come from the oldest change on, so that each page tells how far changes were
    /// read.
    var isOldestFirst: Bool {
        guard case .since(let since) = style.delta, purpose != .keys else { return false }
        if case .keyset(let keyset) = style.pagination, case .document = keyset.conditions {
            return true
        }
        guard !since.order.isEmpty else { return false }
        if case .changes = purpose { return true }
        return since.order == style.order && style.drift == .none
    }
}

/// Conditions and an order as a JSON document says them.
///
/// Source: Parse REST guide, “Queries”.
private struct KeysetDocument {
    let key: [String]
    /// The member that objects are ordered by before their key.
    let stamp: [String]?

    var order: String {
        ([stamp, key].compactMap { $0 }.map { $0.joined(separator: ".") }).joined(separator: ",")
    }

    /// The conditions; nil where there are none.
    func conditions(since: ChangeStamp?, behind place: ListQuery.Place?) -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        if let place {
            if let stamp, let last = place.stamp {
                behind(place.key, stamp, last, &writer)
            } else {
                member(key, "$gt", &writer) { $0.string(place.key) }
            }
        } else if let stamp, let since {
            member(stamp, "$gte", &writer) { $0.time(since) }
        } else {
            return nil
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Later than the last object, or as late and with a key behind it.
    private func behind(
        _ last: String,
        _ stamp: [String],
        _ time: ChangeStamp,
        _ writer: inout JSONWriter
    ) {
        writer.key("$or")
        writer.beginArray()
        writer.beginObject()
        member(stamp, "$gt", &writer) { $0.time(time) }
        writer.endObject()
        writer.beginObject()
        member(stamp, "$eq", &writer) { $0.time(time) }
        member(key, "$gt", &writer) { $0.string(last) }
        writer.endObject()
        writer.endArray()
    }

    private func member(
        _ path: [String],
        _ comparison: String,
        _ writer: inout JSONWriter,
        _ value: (inout JSONWriter) -> Void
    ) {
        writer.key(path.joined(separator: "."))
        writer.beginObject()
        writer.key(comparison)
        value(&writer)
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func time(_ stamp: ChangeStamp) {
        beginObject()
        key("__type")
        string("Date")
        key("iso")
        string(stamp.text)
        endObject()
    }
}
