import TidemarkJSON
import TidemarkModel

/// Generates valid JSON documents with the names of ``FuzzModel``, which random bytes rarely
/// contain.
enum FuzzDocument {
    private static let names = [
        "id", "url", "name", "age", "pay", "height", "weight", "is_active", "born_at", "day",
        "code",
        "link", "photo", "raw", "extra", "blob", "address", "city", "in", "seats", "rank", "budget",
        "text",
        "store", "number", "issued", "title", "pages", "kind", "people", "things", "company",
        "company_id", "boss", "boss_id", "team", "team_ids", "friends", "friends_ids", "tags",
        "tag_ids", "badge", "badge_store", "badge_number", "notes", "likes", "films", "owner",
        "owner_id", "person", "replies", "answers", "sequels", "prequel", "address.city", "unknown",
    ]

    private static let values = [
        "null", "true", "false", "0", "1", "2", "3", "4", "-1", "1.5", "32768", "1e3",
        "9223372036854775807", "1e400", "\"\"", "\"1\"", "\"2\"", "\"red\"", "\"green\"", "\"n/a\"",
        "\"https://a.example/people/2/\"", "\"6fa459ea-ee8a-3ca4-894e-db77e160355e\"",
        "\"00000000-0000-0000-0000-000000000001\"", "\"00000000-0000-0000-0000-000000000002\"",
        "\"00000000-0000-0000-0000-000000000004\"", "\"2014-02-14T10:00:00Z\"", "\"10.12.1815\"",
        "\"AQI=\"", "\"Book\"", "\"Film\"", "\"Director\"", "\"A-7\"", "\"\\u0000\"", "\"é\"",
    ]

    /// Returns the text of a document.
    static func text(_ bytes: inout FuzzBytes) -> [UInt8] {
        var writer = JSONWriter()
        let isList = bytes.number(below: 8) > 0
        if isList { writer.beginArray() }
        for _ in 0..<(isList ? bytes.number(below: 5) : 1) where !bytes.isEmpty {
            object(&bytes, 0, into: &writer)
        }
        if isList { writer.endArray() }
        return writer.bytes.isEmpty ? Array("{}".utf8) : writer.bytes
    }

    private static func value(_ bytes: inout FuzzBytes, _ depth: Int, into writer: inout JSONWriter)
    {
        let isLeaf = depth > 5
        switch bytes.number(below: isLeaf ? 4 : 8) {
        case 0...3: writer.raw(bytes.pick(values))
        case 4, 5: object(&bytes, depth, into: &writer)
        default:
            writer.beginArray()
            for _ in 0..<bytes.number(below: 5) { value(&bytes, depth + 1, into: &writer) }
            writer.endArray()
        }
    }

    private static func object(
        _ bytes: inout FuzzBytes,
        _ depth: Int,
        into writer: inout JSONWriter
    ) {
        writer.beginObject()
        for _ in 0..<bytes.number(below: 7) where !bytes.isEmpty {
            writer.key(bytes.pick(names))
            value(&bytes, depth + 1, into: &writer)
        }
        writer.endObject()
    }
}
