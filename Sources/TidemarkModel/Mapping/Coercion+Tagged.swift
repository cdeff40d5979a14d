package import TidemarkJSON

extension Coercion {
    /// Returns the bytes of a base64 string, or of a Parse object `{"__type":"Bytes","base64":…}`.
    static func base64(
        _ node: JSONNode,
        in arena: ValueArena
    ) throws(CoercionFailure) -> UnsafeRawBufferPointer {
        let text = node.member("base64", ofParse: "Bytes") ?? node
        guard text.kind == .string,
            let bytes = Base64.decode(Scalar(text, in: arena).bytes, in: arena)
        else { throw .notBase64 }
        return bytes
    }

    /// Returns the text of a date, or of a Parse object `{"__type":"Date","iso":…}`.
    @inline(__always)
    static func dateScalar(
        _ node: JSONNode,
        in arena: ValueArena
    ) throws(CoercionFailure) -> Scalar {
        let kind = node.kind
        if kind == .string || kind == .number { return Scalar(node, in: arena) }
        guard kind == .object, let text = node.member("iso", ofParse: "Date"),
            text.kind == .string
        else { throw .notADate }
        return Scalar(text, in: arena)
    }

    /// Returns the URL of a Parse object `{"__type":"File","name":…,"url":…}`; nil for other
    /// values.
    static func fileAddress(_ node: JSONNode) -> JSONNode? {
        node.member("url", ofParse: "File")
    }
}

extension JSONNode {
    /// Returns a member of a Parse object with a `__type`, such as the `iso` of a `Date`.
    ///
    /// Source: Parse REST API, “Data Types”.
    package func member(_ name: String, ofParse type: String) -> JSONNode? {
        member("__type")?.string == type ? member(name) : nil
    }
}

/// Access to the key in the path of a resource's URL.
package enum ResourcePath {
    /// Returns the last path component of a URL or of an absolute path.
    ///
    /// Returns nil if the text is neither, or the URL has no path.
    package static func lastComponent(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let whole = text.prefix { $0 != 0x3F && $0 != 0x23 }  // ?, #
        guard var start = pathStart(text[..<whole.endIndex]) else { return nil }
        var end = whole.endIndex
        while end > start, text[end - 1] == ASCII.slash { end -= 1 }
        guard end > start else { return nil }
        start = text[start..<end].lastIndex(of: ASCII.slash).map { $0 + 1 } ?? start
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    /// Returns the index at which the path of a URL without a query begins.
    private static func pathStart(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let first = text.first else { return nil }
        var host = 0
        if first == ASCII.slash {
            guard text.count > 1, text[1] == ASCII.slash else { return 0 }
            host = 2
        } else {
            let scheme = text.prefix {
                ASCII.isLetter($0) || ASCII.isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0)
            }
            let colon = scheme.endIndex
            guard !scheme.isEmpty, colon + 2 < text.count, text[colon] == ASCII.colon,
                text[colon + 1] == ASCII.slash, text[colon + 2] == ASCII.slash
            else { return nil }
            host = colon + 3
        }
        return text[host...].firstIndex(of: ASCII.slash)
    }
}
