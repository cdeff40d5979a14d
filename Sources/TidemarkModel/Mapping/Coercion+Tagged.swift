import TidemarkJSON

extension Coercion {
    /// Returns the bytes of a base64 string, or of a Parse object `{"__type":"Bytes","base64":…}`.
    static func base64(
        _ node: JSONNode,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> UnsafeRawBufferPointer {
        let text = tagged(node, type: "Bytes", member: "base64") ?? node
        guard text.kind == .string,
            let bytes = Base64.decode(Scalar(text, in: arena).bytes, in: arena)
        else { throw .notBase64 }
        return bytes
    }

    /// Returns the text of a date, or of a Parse object `{"__type":"Date","iso":…}`.
    @inline(__always)
    static func dateScalar(
        _ node: JSONNode,
        _ kind: JSONKind,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Scalar {
        if kind == .string || kind == .number { return Scalar(node, in: arena) }
        guard kind == .object, let text = tagged(node, type: "Date", member: "iso"),
            text.kind == .string
        else { throw .notADate }
        return Scalar(text, in: arena)
    }

    /// Returns the URL of a Parse object `{"__type":"File","name":…,"url":…}`; nil for other
    /// values.
    static func fileAddress(_ node: JSONNode) -> JSONNode? {
        tagged(node, type: "File", member: "url")
    }

    private static func tagged(_ node: JSONNode, type: String, member: String) -> JSONNode? {
        guard node.member("__type")?.string == type else { return nil }
        return node.member(member)
    }
}

/// Access to the key in the path of a resource's URL.
package enum ResourcePath {
    /// Returns the last path component of a URL or of an absolute path.
    ///
    /// Returns nil if the text is neither, or the URL has no path.
    package static func lastComponent(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let whole = text.prefix { $0 != 0x3F && $0 != 0x23 }  // ?, #
        guard var start = pathStart(text, whole.endIndex) else { return nil }
        var end = whole.endIndex
        while end > start, text[end - 1] == ASCII.slash { end -= 1 }
        guard end > start else { return nil }
        start = text[start..<end].lastIndex(of: ASCII.slash).map { $0 + 1 } ?? start
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private static func pathStart(_ text: UnsafeRawBufferPointer, _ end: Int) -> Int? {
        guard end > 0 else { return nil }
        var host = 0
        if text[0] == ASCII.slash {
            guard end > 1, text[1] == ASCII.slash else { return 0 }
            host = 2
        } else {
            let scheme = text[..<end].prefix {
                ASCII.isLetter($0) || ASCII.isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0)
            }
            let colon = scheme.endIndex
            guard !scheme.isEmpty, colon + 2 < end, text[colon] == ASCII.colon,
                text[colon + 1] == ASCII.slash, text[colon + 2] == ASCII.slash
            else { return nil }
            host = colon + 3
        }
        return text[host..<end].firstIndex(of: ASCII.slash)
    }
}
