@testable import TidemarkModel

extension JSONItemReader {
    /// A reader of bytes in memory that hands out a few at a time.
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
    /// The compact texts of all items that are left.
    mutating func texts() throws -> [String] {
        var texts: [String] = []
        while try next({ texts.append($0.compact) }) {}
        return texts
    }
}

extension JSONNode {
    /// Its JSON text without white space.
    var compact: String {
        var bytes: [UInt8] = []
        compactText(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONDocument {
    /// Scans a text.
    init(_ text: String, limits: Limits = Limits()) throws {
        try self.init(Array(text.utf8), limits: limits)
    }

    /// What a text is told to be wrong with, and where; empty when nothing is.
    static func complaint(_ bytes: [UInt8], limits: Limits = Limits()) -> String {
        do throws(JSONError) {
            _ = try JSONDocument(bytes, limits: limits)
            return ""
        } catch {
            return "\(error)"
        }
    }
}
