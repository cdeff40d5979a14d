import TidemarkModel

extension Console {
    /// Prints one JSON document.
    static func json(_ body: (inout JSONWriter) throws -> Void) throws {
        var writer = JSONWriter()
        try body(&writer)
        try flush(&writer, above: 0)
        try result("")
    }

    /// Prints what was written so far when it has become long: a document of any length needs no
    /// memory.
    static func flush(_ writer: inout JSONWriter, above count: Int = 1 << 16) throws {
        if writer.bytes.count > count {
            try writer.drain { try result($0) }
        }
    }
}
