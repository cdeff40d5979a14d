extension String {
    /// The components of a path with dots.
    var pathComponents: [String] { split(separator: ".").map(String.init) }

    /// Returns the text after a prefix; nil if the prefix is missing or nothing follows it.
    func droppingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
