package import TidemarkJSON

extension JSONItemReader {
    /// Creates a reader of bytes in memory that supplies a few at a time.
    package init(
        _ bytes: [UInt8],
        root: JSONPath = JSONPath(),
        limits: JSONLimits = JSONLimits(),
        window: Int = 256,
        chunkSize: Int = .max,
        remembering remembered: [JSONPath] = []
    ) {
        var offset = 0
        self.init(root: root, limits: limits, window: window, remembering: remembered) { buffer in
            let count = min(buffer.count, chunkSize, bytes.count - offset)
            buffer.copyBytes(from: bytes[offset..<(offset + count)])
            offset += count
            return count
        }
    }
}
