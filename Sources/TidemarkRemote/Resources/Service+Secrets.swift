import HTTPTypes

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

    /// A URL as it may be told.
    package func told(_ url: URL) -> String {
        withoutSecrets(url).shown
    }

    /// What must not be told of a request: its credentials, and what every URL carries.
    func secrets(of request: HTTPRequest) -> [String] {
        let harmless: Set<HTTPField.Name> = [
            .accept, .userAgent, .ifNoneMatch, .ifModifiedSince,
        ]
        let fields = request.headerFields.filter { !harmless.contains($0.name) }
        let words = fields.flatMap { $0.value.split(separator: " ").map(String.init) }
        // What is shorter is no secret, and stands in many words.
        return (words + query.map(\.value)).filter { $0.count > 3 }
    }
}
