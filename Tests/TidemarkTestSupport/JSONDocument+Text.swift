package import TidemarkJSON

extension JSONDocument {
    /// Parses a text.
    package init(_ text: String, limits: JSONLimits = JSONLimits()) throws {
        try self.init(Array(text.utf8), limits: limits)
    }
}
