public import struct Foundation.URL

/// Where requests go: scheme, host and port.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String

    /// The name or the address of the host, in lower case.
    public let host: String

    /// The port, that of the scheme where the URL tells none.
    public let port: Int

    /// The origin of a URL; nil where its scheme is not HTTP or HTTPS, or its port is above 65535.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host()?.lowercased(), !host.isEmpty,
            url.port.map({ (0...65_535).contains($0) }) ?? true
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin that a text such as `https://api.example.com` names; nil where it names none.
    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    /// The origin as the beginning of a URL, the port only where it is not the scheme's.
    public var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return isUsual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
