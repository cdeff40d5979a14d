package import struct Foundation.URL

extension Service {
    /// A URL as it is sent: with the parameters that every URL carries.
    func withSecrets(_ url: URL) -> URL {
        guard !query.isEmpty, var parts = PageQuery(url) else { return url }
        parts.set(query)
        return parts.url ?? url
    }

    /// A URL as it may be kept: without those parameters.
    package func withoutSecrets(_ url: URL) -> URL {
        guard !query.isEmpty, var parts = PageQuery(url) else { return url }
        for item in query { parts.set(item.name, nil) }
        return parts.url ?? url
    }
}
