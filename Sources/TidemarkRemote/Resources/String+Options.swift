import TidemarkJSON

extension String {
    /// The components of a path with dots; a name with a dot is in quotation marks.
    package var pathComponents: [String] { JSONPath(self).names.filter { !$0.isEmpty } }

    /// Returns the text after a prefix; nil if the prefix is missing or nothing follows it.
    func droppingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
