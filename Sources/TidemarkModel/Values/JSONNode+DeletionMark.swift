package import TidemarkJSON

extension JSONNode {
    /// Returns whether the member at a path marks the object as deleted: true, a time, or any other
    /// value that does not say the opposite.
    ///
    /// Services that have numbers or texts in place of flags and times write 0, "0", "false" or an
    /// empty text for an object that exists, or the first of all dates of their database.
    ///
    /// - Parameters:
    ///   - path: The path; an empty one marks nothing.
    ///   - value: The text or number that alone marks a deletion; nil if any value does.
    /// - Returns: Whether it does.
    package func marksDeletion(at path: [String], value: String? = nil) -> Bool {
        guard !path.isEmpty, let mark = node(at: JSONPath(path)) else { return false }
        if let value {
            return mark.kind == .string
                ? mark.string == value : mark.source.elementsEqual(value.utf8)
        }
        return switch mark.kind {
        case .null, .false: false
        case .number: DecimalNumber(String(decoding: mark.source, as: UTF8.self))?.count != 0
        case .string: !Self.deniesDeletion(mark.string)
        case .true, .object, .array: true
        }
    }

    private static func deniesDeletion(_ text: String) -> Bool {
        let text = text.filter { !$0.isWhitespace }.lowercased()
        guard !["", "false"].contains(text) else { return true }
        // 0, 0.0, MySQL's 0000-00-00 00:00:00, and 0001-01-01T00:00:00Z of Go and .NET.
        let digits = text.hasPrefix("0001-01-01") ? text.dropFirst(10) : text[...]
        return digits.allSatisfy { "0-:.+tz/".contains($0) }
    }
}
