import TidemarkRemote

extension Configuration.ResourceSection {
    /// Changes a style as the section says.
    ///
    /// - Throws: ``Failure`` where an option is not known; it names the place in the file.
    func change(_ style: inout ListStyle, _ place: String) throws {
        if let envelope { style.envelope = Envelope(option: envelope) }
        if let total { style.total = Total(option: total) }
        if let pageSize { style.pageSize = QueryItem.items(pageSize) }
        if let order { style.order = QueryItem.items(order) }
        if let keys { style.keys = keys == "none" ? nil : QueryItem.items(keys) }
        style.pagination =
            try option("pagination", pagination, place, Pagination.init(option:))
            ?? style.pagination
        style.count = try option("count", count, place, CountRequest.init(option:)) ?? style.count
        style.delta = try option("delta", delta, place, Delta.init(option:)) ?? style.delta
        style.deletes =
            try option("deletes", deletes, place, Deletes.init(option:)) ?? style.deletes
        style.drift = try option("drift", drift, place, Drift.init(rawValue:)) ?? style.drift
        style.validation =
            try option("validation", validation, place, Validation.init(rawValue:))
            ?? style.validation
        if let deltaOrder, case .since(var since) = style.delta {
            since.order = QueryItem.items(deltaOrder)
            style.delta = .since(since)
        }
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

    /// How each option is written.
    private static let forms = [
        "pagination":
            "none, next, next:key.path, link, header:NAME, page, page:PARAMETER, offset, "
            + "offset:PARAMETER, token:key.path>PARAMETER or after:key.path>PARAMETER",
        "count": "none, head:NAME or query:PARAMETERS",
        "delta": "none, version:PARAMETER or since:key.path>PARAMETER",
        "deletes": "none, sweep or marked:key.path",
        "drift": "possible or none",
        "validation": "none, pages or collection",
    ]
}
