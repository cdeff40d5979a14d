package import struct Foundation.URL

/// The origin of a URL: scheme, host and port.
///
/// Two URLs have the same origin if all three are equal (RFC 6454). Credentials of a ``Service``
/// are sent to its own origin and to ``Service/origins`` only.
///
/// ```swift
/// let cdn = Origin("https://CDN.example.com:443/films")
/// print(cdn?.description ?? "")    // https://cdn.example.com
/// ```
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme: `http` or `https`.
    package let scheme: String

    /// The name or the IP address of the host, in lowercase.
    package let host: String

    /// The port.
    ///
    /// Defaults to that of the scheme.
    package let port: Int

    /// Creates the origin of a URL; nil if its scheme is not HTTP or HTTPS, it has no host, or its
    /// port is above 65535.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host()?.lowercased(), !host.isEmpty,
            url.port.map({ (0...65_535).contains($0) }) ?? true
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Creates the origin of a URL such as `https://api.example.com`; nil if the text is not a
    /// valid HTTP or HTTPS URL.
    ///
    /// The path of the URL is ignored, the host is compared in lowercase, and the port defaults to
    /// that of the scheme.
    ///
    /// ```swift
    /// var service = Service.rest(url: url)
    /// if let files = Origin("https://files.example.com") { service.origins.insert(files) }
    /// ```
    ///
    /// - Parameter text: The URL.
    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    /// The origin as a URL, without the port if it is the scheme's default.
    public var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return isUsual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
