import TidemarkJSON

extension Value {
    /// Returns texts as an array in JSON.
    package static func array(of texts: [String]) -> Value {
        var writer = JSONWriter()
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
        return .json(String(decoding: writer.bytes, as: UTF8.self))
    }
}
