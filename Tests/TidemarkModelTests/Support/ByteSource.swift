@testable import TidemarkModel

extension JSONItemReader {
    /// Creates a reader of bytes in memory that supplies a few at a time.
    init(
        _ bytes: [UInt8],
        root: String? = nil,
        limits: Limits = Limits(),
        window: Int = 256,
        piece: Int = .max,
        places: [[String]] = []
    ) {
        var offset = 0
        self.init(root: root, limits: limits, window: window, places: places) { buffer in
            let count = min(buffer.count, piece, bytes.count - offset)
            buffer.copyBytes(from: bytes[offset..<(offset + count)])
            offset += count
            return count
        }
    }
}

extension JSONItems {
    /// Returns the compact texts of the remaining items.
    mutating func texts() throws -> [String] {
        var texts: [String] = []
        while try next({ texts.append($0.compact) }) {}
        return texts
    }
}

extension JSONNode {
    /// The JSON text without white space.
    var compact: String {
        var bytes: [UInt8] = []
        compactText(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONDocument {
    /// Parses a text.
    init(_ text: String, limits: Limits = Limits()) throws {
        try self.init(Array(text.utf8), limits: limits)
    }

    /// Returns the error of a text with its position, or an empty string.
    static func complaint(_ bytes: [UInt8], limits: Limits = Limits()) -> String {
        do throws(JSONError) {
            _ = try JSONDocument(bytes, limits: limits)
            return ""
        } catch {
            return "\(error)"
        }
    }
}
