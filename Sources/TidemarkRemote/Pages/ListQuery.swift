import TidemarkJSON
import TidemarkModel

/// The query parameters of a list: for all objects, changes or keys, from the start or after an
/// object.
struct ListQuery {
    let style: ResourceStyle
    let mode: FetchMode

    /// The last object of the previous page, which a keyset page starts after.
    struct LastObject {
        let key: String
        let stamp: ChangeStamp?
    }

    /// The parameters of the first page.
    var first: [QueryItem] {
        var items = style.parameters.pageSize
        switch mode {
        case .list: items += style.parameters.order
        case .changes(let cursor):
            switch style.delta {
            // The token contains the order and the filters of the list.
            case .token(_, let parameter): return items + [QueryItem(parameter, cursor)]
            case .none, .version, .since, .link: items += changeOrder
            }
        case .keys: items += style.parameters.order + (style.parameters.keys ?? [])
        }
        return items + conditions(after: nil)
    }

    private var changeOrder: [QueryItem] {
        if case .since(let since) = style.delta, !since.order.isEmpty { return since.order }
        return style.parameters.order
    }

    /// Returns the parameters that select the objects and their order.
    func conditions(after last: LastObject?) -> [QueryItem] {
        let since = sinceStamp
        var items: [QueryItem] = []
        switch style.delta {
        case .none, .token, .link: break
        case .version(let parameter):
            if case .changes(let version) = mode { items.append(QueryItem(parameter, version)) }
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
            if let last { items.append(QueryItem(name, last.key)) }
        case .document(let parameter, let order):
            let document = KeysetDocument(key: keyset.key, stamp: stampField)
            items.append(QueryItem(order, document.order))
            if let text = document.conditions(since: since, after: last) {
                items.append(QueryItem(parameter, text))
            }
            // Usually one page contains all changes. Their total saves a request for an empty
            // second page.
            if last == nil, since != nil { items += counting }
        }
        return items
    }

    /// The parameters that add the total to a page, if the service supports this with the
    /// parameters of its count request.
    private var counting: [QueryItem] {
        guard case .query(let items) = style.count else { return [] }
        switch style.total {
        case .body, .automatic: break
        case .none, .header: return []
        }
        return items.filter { item in
            item.name != "limit" && !style.parameters.pageSize.contains { $0.name == item.name }
        }
    }

    /// The time since which changes are requested: one printed unit before the cursor, because a
    /// service may store more digits than it prints.
    private var sinceStamp: ChangeStamp? {
        guard case .changes(let cursor) = mode, case .since = style.delta else { return nil }
        return ChangeStamp(cursor)?.earlier
    }

    /// The member that objects are sorted by before their key.
    ///
    /// Lists of keys do not contain it.
    private var stampField: [String]? {
        switch (mode, style.delta) {
        case (.keys, _), (_, .none), (_, .version), (_, .token), (_, .link): nil
        case (_, .since(let since)): since.field
        }
    }

    /// Whether objects are sorted by their change, the oldest first, so that each page advances the
    /// cursor.
    var isOldestFirst: Bool {
        guard case .since(let since) = style.delta, mode != .keys else { return false }
        if case .keyset(let keyset) = style.pagination, case .document = keyset.conditions {
            return true
        }
        guard !since.order.isEmpty else { return false }
        if case .changes = mode { return true }
        return since.order == style.parameters.order && style.stability == .stable
    }
}

/// A condition and a sort order as JSON.
///
/// Source: Parse REST guide, “Queries”.
private struct KeysetDocument {
    let key: [String]
    /// The member that objects are sorted by before their key.
    let stamp: [String]?

    var order: String {
        ([stamp, key].compactMap { $0 }.map { $0.joined(separator: ".") }).joined(separator: ",")
    }

    /// Returns the condition; nil if all objects are wanted.
    func conditions(since: ChangeStamp?, after last: ListQuery.LastObject?) -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        if let last {
            if let stamp, let time = last.stamp {
                // Changed later than the last object, or at the same time with a greater key:
                // without the second condition, objects with one stamp on two pages are missed.
                writer.key("$or")
                writer.beginArray()
                writer.beginObject()
                writer.condition(on: stamp, "$gt") { $0.time(time) }
                writer.endObject()
                writer.beginObject()
                writer.condition(on: stamp, "$eq") { $0.time(time) }
                writer.condition(on: key, "$gt") { $0.string(last.key) }
                writer.endObject()
                writer.endArray()
            } else {
                writer.condition(on: key, "$gt") { $0.string(last.key) }
            }
        } else if let stamp, let since {
            // Inclusive: several objects may have the same stamp.
            writer.condition(on: stamp, "$gte") { $0.time(since) }
        } else {
            return nil
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func condition(
        on path: [String],
        _ comparison: String,
        value: (inout JSONWriter) -> Void
    ) {
        key(path.joined(separator: "."))
        beginObject()
        key(comparison)
        value(&self)
        endObject()
    }

    fileprivate mutating func time(_ stamp: ChangeStamp) {
        beginObject()
        key("__type")
        string("Date")
        key("iso")
        string(stamp.text)
        endObject()
    }
}
