package import Foundation
package import HTTPTypes

extension HTTPRequest {
    /// Creates a request to a URL; nil if its scheme is not HTTP or HTTPS, or if it has no host.
    package init?(_ method: Method = .get, to url: URL, headerFields: HTTPFields = [:]) {
        let text = url.absoluteString.prefix { $0 != "#" }
        // A transport would trap on a port above 65535, which `Origin` rejects.
        guard Origin(url) != nil, let scheme = url.scheme?.lowercased(),
            let mark = text.range(of: "://")
        else { return nil }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last
        guard let authority, !authority.isEmpty else { return nil }
        let path = rest[end...]
        self.init(
            method: method,
            scheme: scheme,
            authority: String(authority),
            path: path.hasPrefix("/") ? String(path) : "/\(path)",
            headerFields: headerFields
        )
    }

    /// The URL of the request.
    package var target: URL? {
        guard let scheme, let authority else { return nil }
        return URL(string: "\(scheme)://\(authority)\(path ?? "/")")
    }

    /// The method and the URL for messages, without secrets.
    package var label: String {
        "\(method.rawValue) \(target?.shown ?? path ?? "")"
    }
}

extension URL {
    /// The URL for messages: without user, password, fragment, and values of parameters that look
    /// like secrets.
    package var shown: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return path
        }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        parts.percentEncodedQuery = parts.percentEncodedQuery.map(Self.withoutSecrets)
        return parts.string ?? path
    }

    private static func withoutSecrets(_ query: String) -> String {
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false)
        return parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return isSecret(String(name)) && name.count < parameter.count
                ? "\(name)=***" : String(parameter)
        }.joined(separator: "&")
    }
}
