import HTTPTypes
import TidemarkModel

/// The kind of entity tag in responses.
package enum FakeValidator: Hashable {
    case strong
    case weak

    func tag(of bytes: [UInt8]) -> String {
        let tag = "\"\(Fingerprint(bytes).text)\""
        return switch self {
        case .strong: tag
        case .weak: "W/\(tag)"
        }
    }
}

extension FakeResponse {
    /// Returns the response with an entity tag that is a digest of its body, or status 304 if the
    /// request contains that tag.
    package func validated(
        _ validator: FakeValidator,
        for request: FakeDialect.Request
    ) -> FakeResponse {
        var response = self
        let bytes = bytes
        let tag = validator.tag(of: bytes)
        response.fields[.eTag] = tag
        // The tag belongs to these bytes; JSON would have its links rewritten before it is sent.
        if case .json = body { response.body = .bytes(bytes, type: "application/json") }
        guard status == .ok, request.hasTag(tag) else { return response }
        response.status = .notModified
        response.body = .empty
        return response
    }
}

extension FakeDialect.Request {
    /// Returns whether `If-None-Match` contains a tag.
    ///
    /// The comparison is weak (RFC 9110, section 8.8.3.2).
    fileprivate func hasTag(_ tag: String) -> Bool {
        guard let known = http.headerFields[.ifNoneMatch] else { return false }
        let opaqueTag = tag.opaqueTag
        return known.split(separator: ",").map(\.trimmed)
            .contains { $0 == "*" || $0.opaqueTag == opaqueTag }
    }

    /// Returns whether an object changed after the time in `If-Modified-Since`, compared in
    /// seconds.
    ///
    /// Returns true if the field is missing or invalid.
    package func isModified(since moment: Int64) -> Bool {
        guard let text = http.headerFields[.ifModifiedSince],
            let known = DateFormat.rfc1123.microseconds(from: text)
        else { return true }
        return FakePrecision.seconds.roundedDown(moment) > known
    }
}

extension String {
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
