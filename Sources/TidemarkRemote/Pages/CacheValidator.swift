import HTTPTypes
import TidemarkModel

/// The validators of a response, for conditional requests.
///
/// They are sent back unchanged. If there is an entity tag, it is sent alone: services differ in
/// how they handle both.
///
/// Source: RFC 9110, “Validator Fields” and “Conditional Requests”.
package struct CacheValidator: Hashable, Sendable {
    /// The entity tag, from the `ETag` field.
    package var tag: String?

    /// The modification date, from the `Last-Modified` field.
    package var modified: String?

    /// Creates a validator; nil if both values are nil.
    package init?(tag: String?, modified: String?) {
        guard tag != nil || modified != nil else { return nil }
        self.tag = tag
        self.modified = modified
    }

    /// Reads the validator of a response; nil if it has none that a later request can rely on.
    init?(in headers: HTTPFields) {
        self.init(tag: headers[.eTag], modified: headers.strongModificationDate)
    }

    /// The field that makes a request conditional.
    var condition: HTTPField? {
        // RFC 9110, 13.1.3: a recipient ignores `If-Modified-Since` beside `If-None-Match`, but
        // some services evaluate both.
        if let tag { return HTTPField(name: .ifNoneMatch, value: tag) }
        return modified.map { HTTPField(name: .ifModifiedSince, value: $0) }
    }

    /// Returns whether header fields contain the same validator, by weak comparison of entity tags.
    func matches(_ headers: HTTPFields) -> Bool {
        guard let tag else { return modified == headers[.lastModified] }
        return headers.opaqueTag == HTTPFields.opaque(tag)
    }
}

extension HTTPFields {
    /// The entity tag without the prefix of a weak one, as weak comparison reads it (RFC 9110,
    /// 8.8.3.2).
    ///
    /// A proxy that compresses the response makes the tag weak. A service that expects its version
    /// in a parameter would not recognize the prefix.
    var opaqueTag: String? { self[.eTag].map(Self.opaque) }

    fileprivate static func opaque(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }

    /// `Last-Modified`, if the response cannot be modified again within the same second.
    fileprivate var strongModificationDate: String? {
        // RFC 9110, 8.8.2.2: a date is a strong validator only if it is earlier than `Date`: a
        // second change in the same second would otherwise be answered 304.
        guard let text = self[.lastModified], let date = HTTPDate(self),
            let modified = DateFormat.rfc1123.microseconds(from: text),
            modified + 1_000_000 <= date.second
        else { return nil }
        return text
    }
}
