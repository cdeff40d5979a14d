public import struct Foundation.URL

extension Service {
    /// The presets by the names that configurations use.
    public static let presets: [String: @Sendable (URL) -> Service] = [
        "rest": { rest(url: $0) }
    ]
}
