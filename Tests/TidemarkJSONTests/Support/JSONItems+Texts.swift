@testable import TidemarkJSON

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
    /// Returns the error of a text with its position, or an empty string.
    static func errorMessage(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> String {
        do throws(JSONError) {
            _ = try JSONDocument(bytes, limits: limits)
            return ""
        } catch {
            return "\(error)"
        }
    }
}
