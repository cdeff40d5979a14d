package import Foundation
package import HTTPTypes

extension HTTPRequest {
    /// Creates a request to a URL; nil if its scheme is not HTTP or HTTPS, or if it has no host.
    package init?(_ method: Method = .get, to url: URL, headerFields: HTTPFields = [:]) {
        // HTTPTypes traps on a URL without a scheme and on one that `URLComponents` cannot parse, a
        // transport on a port above 65535. A link of a service may be any of these.
        guard let origin = Origin(url),
            URLComponents(url: url, resolvingAgainstBaseURL: true) != nil
        else { return nil }
        self.init(method: method, url: url, headerFields: headerFields)
        // `HTTPS://` is `https://` (RFC 3986, 3.1), but clients compare it with the latter.
        scheme = origin.scheme
    }

    /// Returns the request with another URL.
    func with(url: URL) throws -> HTTPRequest {
        guard let request = HTTPRequest(method, to: url, headerFields: headerFields) else {
            throw RemoteError.invalid(self)
        }
        return request
    }

    /// The method and the URL for messages, without secrets.
    package var label: String {
        "\(method.rawValue) \(url?.shown ?? path ?? "")"
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
