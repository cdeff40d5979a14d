import TidemarkRemote

extension Configuration.ResourceSection {
    /// Applies the options of this section to the style of all lists.
    ///
    /// - Throws: ``Failure`` if the section sets `path` or `type`, which only a single resource can
    ///   have, and the errors of ``change(_:_:)``.
    func changeAll(_ style: inout ListStyle, _ place: String) throws {
        for (name, text) in [("path", path), ("type", type)] where text != nil {
            throw Failure(
                .data,
                "\(place).\(name) cannot hold for all lists: it belongs to a resource. Write it as "
                    + "resources.ENTITY.\(name)."
            )
        }
        try change(&style, place)
    }

    /// Applies the options of this section to a style.
    ///
    /// - Throws: ``Failure`` if a value is not valid for its option. The message contains the key
    ///   path in the file.
    func change(_ style: inout ListStyle, _ place: String) throws {
        if try option("content", content, place, ResourceContent.init(rawValue:)) == .object {
            style.makeSingleObject()
        }
        if let envelope { style.envelope = Envelope(option: envelope) }
        if let total { style.total = TotalCount(option: total) }
        if let pageSize { style.pageSize = QueryItem.items(pageSize) }
        if let order { style.order = QueryItem.items(order) }
        if let keys { style.keys = keys == "none" ? nil : QueryItem.items(keys) }
        style.pagination =
            try option("pagination", pagination, place, Pagination.init(option:))
            ?? style.pagination
        style.count = try option("count", count, place, CountRequest.init(option:)) ?? style.count
        style.delta = try option("delta", delta, place, ChangeQuery.init(option:)) ?? style.delta
        style.deletes =
            try option("deletes", deletes, place, DeletionDetection.init(option:)) ?? style.deletes
        style.drift =
            try option("drift", drift, place, PageStability.init(rawValue:)) ?? style.drift
        style.validation =
            try option("validation", validation, place, CachePolicy.init(rawValue:))
            ?? style.validation
        style.fullInterval =
            try option("full", full, place, Duration.init(written:)) ?? style.fullInterval
        try change(&style.delta, place)
    }

    /// Applies the options of time-based change queries.
    private func change(_ delta: inout ChangeQuery, _ place: String) throws {
        let overlap = try option("deltaOverlap", deltaOverlap, place, Duration.init(written:))
        guard deltaOrder != nil || overlap != nil else { return }
        guard case .since(var since) = delta else {
            let name = deltaOrder == nil ? "deltaOverlap" : "deltaOrder"
            throw Failure(
                .data,
                "\(place).\(name) says something of changes by time, but delta does not ask for them."
            )
        }
        since.order = deltaOrder.map { QueryItem.items($0) } ?? since.order
        since.overlap = overlap ?? since.overlap
        delta = .since(since)
    }

    private func option<Value>(
        _ name: String,
        _ text: String?,
        _ place: String,
        _ read: (String) -> Value?
    ) throws -> Value? {
        guard let text else { return nil }
        guard let value = read(text) else {
            throw Failure(
                .data,
                "\(place).\(name): \(text) is not known. Write \(Self.forms[name] ?? "")."
            )
        }
        return value
    }

    /// The accepted forms of each option, for error messages.
    private static let forms = [
        "content": "list or object",
        "pagination":
            "automatic, none, next, next:key.path, link, header:NAME, page, page:PARAMETER, offset, "
            + "offset:PARAMETER, token:key.path>PARAMETER or after:key.path>PARAMETER",
        "count": "none, head:NAME or query:PARAMETERS",
        "delta":
            "none, version:PARAMETER, since:key.path>PARAMETER or since:key.path>PARAMETER=TEXT "
            + "with {} for the time",
        "full": "24h, 30m or 90s",
        "deltaOverlap": "30s, 500ms or 2m",
        "deletes": "none, sweep or marked:key.path",
        "drift": "possible or none",
        "validation": "none, pages or collection",
    ]
}
