import HTTPTypes

extension KintoAnswer {
    /// Whether the client says that it knows just this stamp.
    func hasStamp(_ stamp: Int64) -> Bool {
        request.http.headerFields[.ifNoneMatch].flatMap(Self.stamp) == stamp / 1_000
    }

    func checkPreconditions(
        _ stamp: Int64,
        _ existing: FakeJSON? = nil
    ) throws(KintoFailure) {
        for name in ["If-None-Match", "If-Match"] {
            guard let text = request.field(name), text != "*", Self.stamp(text) == nil else {
                continue
            }
            // Weak tags are none: what compresses on the way makes the next request fail.
            throw .invalid(
                name,
                "The value should be integer between double quotes.",
                in: "header"
            )
        }
        guard !hasStamp(stamp), let known = request.field("If-Match").flatMap(Self.stamp),
            stamp / 1_000 > known
        else { return }
        throw .modifiedMeanwhile(existing, Self.fields(stamp))
    }

    private static func stamp(_ text: String) -> Int64? {
        guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        return Int64(text.dropFirst().dropLast())
    }
}
