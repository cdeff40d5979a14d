public import struct Foundation.URL

/// The origin of a URL: scheme, host and port.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme: `http` or `https`.
    public let scheme: String

    /// The name or the IP address of the host, in lowercase.
    public let host: String

    /// The port.
    ///
    /// Defaults to that of the scheme.
    public let port: Int

    /// Creates the origin of a URL; nil if its scheme is not HTTP or HTTPS, it has no host, or its
    /// port is above 65535.
    public init?(_ url: URL) {
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
