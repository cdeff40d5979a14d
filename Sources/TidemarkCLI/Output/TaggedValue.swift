import TidemarkJSON
import TidemarkModel

/// A value in a JSON document: as in a dump, types that JSON does not have are tagged.
///
/// The value of an attribute with JSON is its text.
struct TaggedValue: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .string(let text), .json(let text): try container.encode(text)
        case .decimal, .uuid, .uri, .binary, .date:
            var json = JSONWriter()
            json.tagged(value)
            try container.encode(JSONDocument(json.bytes).withRoot(Self.members))
        }
    }

    /// Returns the tag with its text.
    private static func members(_ node: JSONNode) -> [String: String] {
        Dictionary(
            node.members.map { name, value in
                let text = String(decoding: value.text, as: UTF8.self)
                return (name.string, value.kind == .string ? value.string : text)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
