import TidemarkJSON

extension RecordKey {
    /// Parses the text form of a key: the value of its only part, or for a composite key a JSON
    /// array of all parts, such as `[1,"A-7"]`.
    ///
    /// Returns nil if the text is not a valid key for the attributes.
    package init?(text: String, of attributes: [Attribute]) {
        guard let texts = attributes.count == 1 ? [text] : Self.parts(text),
            texts.count == attributes.count
        else { return nil }
        let values = zip(texts, attributes).compactMap { Self.value($0, of: $1) }
        guard values.count == attributes.count else { return nil }
        self.init(values)
    }

    /// The text form of the key: `6`, or `[1,"A-7"]` if it has several parts.
    package var text: String {
        var writer = JSONWriter()
        if parts.count > 1 { writer.beginArray() }
        for part in parts {
            switch part {
            case .string(let text), .uuid(let text), .uri(let text), .decimal(let text):
                guard parts.count > 1 else { return text }
                writer.string(text)
            case .integer, .double, .boolean, .null, .date, .binary, .json: writer.tagged(part)
            }
        }
        if parts.count > 1 { writer.endArray() }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func value(_ text: String, of attribute: Attribute) -> Value? {
        var attribute = attribute
        // A key may be wider than its attribute; see ``Coercion/coerceKey(_:into:)``.
        if attribute.type == .integer16 || attribute.type == .integer32 {
            attribute.type = .integer64
        }
        return switch Result(catching: { try Coercion(attribute).coerce(.string(text)) }) {
        case .success(let value): value == .null ? nil : value
        case .failure: nil
        }
    }

    private static func parts(_ text: String) -> [String]? {
        switch Result(catching: { try JSONDocument(Array(text.utf8)) }) {
        case .failure: nil
        case .success(let document):
            document.withRoot { root in
                root.kind == .array ? root.elements.map(Self.text) : nil
            }
        }
    }

    private static func text(_ node: JSONNode) -> String {
        node.kind == .string ? node.string : String(decoding: node.text, as: UTF8.self)
    }
}
