import TidemarkModel
import TidemarkRemote

extension Configuration.ResourceSection {
    /// Applies the options of this section to the style of all lists.
    ///
    /// - Throws: ``Failure`` if the section sets `path` or `type`, which only a single resource can
    ///   have, and the errors of ``apply(to:at:)``.
    func applyToAll(_ style: inout ResourceStyle, at keyPath: String) throws {
        if push != nil {
            throw Failure(
                .data,
                "\(keyPath).push cannot hold for all lists. Write it as service.push, or as "
                    + "resources.ENTITY.push."
            )
        }
        for option in [Option.path, .type] where self[option] != nil {
            throw Failure(
                .data,
                "\(keyPath).\(option.rawValue) cannot hold for all lists: it belongs to a resource. "
                    + "Write it as resources.ENTITY.\(option.rawValue)."
            )
        }
        try apply(to: &style, at: keyPath)
    }

    /// Applies the options of this section to a style.
    ///
    /// - Parameters:
    ///   - style: The style to change.
    ///   - keyPath: The key path of the section in the file, for messages.
    /// - Throws: ``Failure`` if a value is not valid for its option.
    func apply(to style: inout ResourceStyle, at keyPath: String) throws {
        func value<Value>(of option: Option, parse: (String) -> Value?) throws -> Value? {
            try self.value(of: option, at: keyPath, parse: parse)
        }
        if try value(of: .content, parse: ResourceContent.init(rawValue:)) == .object {
            style.makeSingleObject()
        }
        if let envelope = self[.envelope] { style.envelope = Envelope(option: envelope) }
        if let item = self[.item] { style.item = item == "none" ? [] : item.pathComponents }
        if let total = self[.total] { style.total = TotalCount(option: total) }
        if let pageSize = self[.pageSize] { style.parameters.pageSize = QueryItem.items(pageSize) }
        if let order = self[.order] { style.parameters.order = QueryItem.items(order) }
        if let keys = self[.keys] {
            style.parameters.keys = keys == "none" ? nil : QueryItem.items(keys)
        }
        style.pagination =
            try value(of: .pagination, parse: Pagination.init(option:)) ?? style.pagination
        let base = try value(of: .base) { ["automatic", "0", "1"].contains($0) ? $0 : nil }
        style.base = base.map { Int($0) } ?? style.base
        style.emptyPages =
            try value(of: .emptyPages) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            ?? style.emptyPages
        style.omitsNulls =
            try value(of: .readNulls) { ["explicit": false, "omit": true][$0] } ?? style.omitsNulls
        style.readsNoContentAsEmpty =
            try value(of: .empty) { ["none": false, "204": true][$0] }
            ?? style.readsNoContentAsEmpty
        style.count = try value(of: .count, parse: CountRequest.init(option:)) ?? style.count
        style.delta = try value(of: .delta, parse: ChangeQuery.init(option:)) ?? style.delta
        style.deletes =
            try value(of: .deletes, parse: DeletionDetection.init(option:)) ?? style.deletes
        style.stability =
            try value(of: .drift, parse: PageStability.init(rawValue:)) ?? style.stability
        style.validation =
            try value(of: .validation, parse: CachePolicy.init(rawValue:)) ?? style.validation
        style.fullInterval =
            try value(of: .full, parse: Duration.init(written:)) ?? style.fullInterval
        try apply(to: &style.delta, at: keyPath)
    }

    /// Applies the options of time-based change queries.
    private func apply(to delta: inout ChangeQuery, at keyPath: String) throws {
        let overlap = try value(of: .deltaOverlap, at: keyPath, parse: Duration.init(written:))
        let order = self[.deltaOrder]
        guard order != nil || overlap != nil else { return }
        guard case .since(var since) = delta else {
            let name = order == nil ? "deltaOverlap" : "deltaOrder"
            throw Failure(
                .data,
                "\(keyPath).\(name) is for changes by time, which delta does not request."
            )
        }
        since.order = order.map { QueryItem.items($0) } ?? since.order
        since.overlap = overlap ?? since.overlap
        delta = .since(since)
    }

    private func value<Value>(
        of option: Option,
        at keyPath: String,
        parse: (String) -> Value?
    ) throws -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = parse(text) else {
            throw Failure(
                .data,
                "\(keyPath).\(option.rawValue): \(text) is not known. Write "
                    + "\(Self.forms[option] ?? "")."
            )
        }
        return value
    }

    /// The accepted forms of each option, for error messages.
    private static let forms: [Option: String] = [
        .content: "list or object",
        .pagination:
            "automatic, none, next, next:key.path, link, header:NAME, page, page:PARAMETER, offset, "
            + "offset:PARAMETER, token:key.path>PARAMETER, token:header:NAME>PARAMETER or "
            + "after:key.path>PARAMETER",
        .base: "automatic, 0 or 1",
        .emptyPages: "a number of pages, at least 1",
        .readNulls: "explicit or omit",
        .empty: "none or 204",
        .count: "none, head:NAME or query:PARAMETERS",
        .delta:
            "none, version:PARAMETER, since:key.path>PARAMETER, since:key.path>PARAMETER=TEXT "
            + "with {} for the time, token:key.path>PARAMETER or link:key.path",
        .full: "24h, 30m or 90s",
        .deltaOverlap: "30s, 500ms or 2m",
        .deletes: "none, sweep, marked:key.path or marked:key.path=VALUE",
        .drift: "possible or none",
        .validation: "none, pages or collection",
    ]
}
