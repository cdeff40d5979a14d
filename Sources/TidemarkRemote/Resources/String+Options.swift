extension String {
    /// Keys with dots between, one by one.
    var keys: [String] { split(separator: ".").map(String.init) }

    /// What follows a prefix, if it is there and more follows.
    func behind(_ prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
