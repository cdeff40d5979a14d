import HTTPTypes
import TidemarkTesting

extension KintoResponder {
    /// Returns whether the timestamp is the one in the request's `If-None-Match`.
    func hasStamp(_ stamp: Int64) -> Bool {
        request.http.headerFields[.ifNoneMatch].flatMap(Self.stamp) == stamp / 1_000
    }

    func checkPreconditions(
        _ stamp: Int64,
        existing: FakeJSON? = nil
    ) throws(KintoFailure) {
        for name in ["If-None-Match", "If-Match"] {
            guard let text = request.field(name), text != "*", Self.stamp(text) == nil else {
                continue
            }
            // Kinto rejects weak entity tags. A proxy that compresses a response makes its tag
            // weak, so that the next conditional request fails.
            throw .invalid(
                "The value should be integer between double quotes.",
                name: name,
                in: "header"
            )
        }
        guard !hasStamp(stamp), let known = request.field("If-Match").flatMap(Self.stamp),
            stamp / 1_000 > known
        else { return }
        throw .modifiedMeanwhile(existing, fields: Self.fields(stamp))
    }

    private static func stamp(_ text: String) -> Int64? {
        guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        return Int64(text.dropFirst().dropLast())
    }
}
