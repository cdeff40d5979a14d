import HTTPTypes
import TidemarkModel

/// How a service validates what a client has already.
enum FakeValidator: Hashable {
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
    /// The answer with an entity tag made of its body: 304 where the client has it already.
    func validated(_ validator: FakeValidator, for request: FakeDialect.Request) -> FakeResponse {
        var response = self
        let bytes = bytes
        let tag = validator.tag(of: bytes)
        response.fields[.eTag] = tag
        if case .json = body { response.body = .bytes(bytes, type: "application/json") }
        guard status == .ok, request.hasTag(tag) else { return response }
        response.status = .notModified
        response.body = .nothing
        return response
    }
}

extension FakeDialect.Request {
    /// Whether the client says that it has an entity of this tag; weak tags are as good.
    fileprivate func hasTag(_ tag: String) -> Bool {
        guard let known = http.headerFields[.ifNoneMatch] else { return false }
        let bare = tag.withoutWeakness
        return known.split(separator: ",").map(\.trimmed)
            .contains { $0 == "*" || $0.withoutWeakness == bare }
    }

    /// Whether the client has what is as new as a moment, to the second.
    func isModified(since moment: Int64) -> Bool {
        guard let text = http.headerFields[.ifModifiedSince],
            let known = DateFormat.rfc1123.microseconds(from: text)
        else { return true }
        return FakePrecision.seconds.cut(moment) > known
    }
}

extension String {
    fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
