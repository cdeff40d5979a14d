package import struct Foundation.URL

extension Service {
    /// The presets by the names that `preset` in `tidemark.yml` uses.
    package static let presets: [String: @Sendable (URL) -> Service] = [
        "rest": { rest(url: $0) },
        "rails": { rails(url: $0) },
        "parse": { parseServer(url: $0) },
        "kinto": { kinto(url: $0) },
        "jsonapi": { jsonAPI(url: $0) },
    ]
}

extension PushStyle {
    /// The style that belongs to a preset of a service, by the name of the preset.
    package static let presets = [
        "rest": rest, "rails": rails, "parse": parse, "kinto": kinto, "jsonapi": jsonAPI,
    ]
}
