package import Foundation

extension Service {
    /// Returns the URL of a resource, below the URL of the service.
    func url(of resource: RemoteResource) throws -> URL {
        try url(ofPath: resource.path, below: base)
    }

    /// The URL of the service that paths are below: without a query, and with a slash at its end.
    var base: URL {
        get throws {
            guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
                throw RemoteError.invalidURL(url.shown)
            }
            parts.query = nil
            parts.fragment = nil
            if !parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath += "/" }
            guard let base = parts.url else { throw RemoteError.invalidURL(url.shown) }
            return base
        }
    }

    /// Returns the URL of a path below ``base``.
    func url(ofPath path: String, below base: URL) throws -> URL {
        let path = path.drop { $0 == "/" }
        guard !path.utf8.contains(UInt8(ascii: ":")) else {
            // A colon in the first segment would be parsed as the end of a scheme.
            let link = path.contains("://") ? String(path) : "./\(path)"
            return try resolve(link, from: base, hiding: secrets)
        }
        // It cannot lead to another origin. The usual path needs no resolution, which takes longer.
        if !path.hasSegmentWithDot, base.query == nil, base.fragment == nil,
            base.absoluteString.utf8.last == UInt8(ascii: "/"),
            let url = URL(string: base.absoluteString + path)
        {
            return url
        }
        guard let url = URL(string: "./\(path)", relativeTo: base)?.absoluteURL else {
            return try resolve("./\(path)", from: base, hiding: secrets)
        }
        return url
    }

    /// Returns the URL of a link found at `base`, if it belongs to the service.
    ///
    /// An `http` link to the host of an `https` service is changed to `https`.
    ///
    /// - Throws: ``RemoteError`` with the given code if the link is invalid or leads to another
    ///   origin.
    func resolve(
        _ link: String,
        from base: URL,
        rejectedAs code: RemoteError.Code = .linkRejected,
        hiding secrets: SecretMask
    ) throws -> URL {
        guard let own = Origin(url) else { throw RemoteError.invalidURL(url.shown) }
        guard let target = URL(string: link, relativeTo: base)?.absoluteURL,
            let origin = Origin(target)
        else {
            throw RemoteError(
                code,
                "\(secrets.masked(base)) leads to “\(ServiceMessage.oneLine(secrets.hiding(in: link)))”, "
                    + "which is not a valid URL.",
                hint: "The service must link to http:// or https:// addresses."
            )
        }
        if origin == own || origins.contains(origin) { return target }
        if origin.isPlain(own), let secure = target.moved(to: own) { return secure }
        // Credentials are sent with every request, so a link must not choose their receiver.
        let shown = secrets.hiding(in: "\(origin)")
        throw RemoteError(
            code,
            "\(secrets.masked(base)) leads to \(shown), which does not belong to the service at "
                + "\(description).",
            hint: origin.host == own.host && origin.scheme == "https"
                ? "If that is the service's true address, write it as the service's URL."
                : "If it belongs to the service, add \(shown) to its origins."
        )
    }

    /// Returns the URL of a stored path.
    ///
    /// - Parameters:
    ///   - path: The path, see `Remote.relativePath(of:)`.
    ///   - known: A URL of the configuration, at whose origin the path is.
    /// - Returns: The URL.
    /// - Throws: ``RemoteError/Code/linkRejected`` if the path leads to an origin that does not
    ///   belong to the service.
    package func url(ofRelativePath path: String, at known: URL) throws -> URL {
        let isOwn = Origin(known) == Origin(url)
        return try resolve(
            path.hasPrefix("/") ? path : "./\(path)",
            from: isOwn ? base : known,
            hiding: secrets
        )
    }

    /// Returns the current URL of a page whose URL was stored.
    ///
    /// A service with a ``name`` may have moved to another origin since.
    func relocated(_ page: URL) -> URL {
        guard name != nil, let own = Origin(url), let origin = Origin(page), origin != own,
            !origins.contains(origin),
            var parts = URLComponents(url: page, resolvingAgainstBaseURL: true)
        else { return page }
        parts.scheme = own.scheme
        parts.host = own.host
        parts.port = url.port
        return parts.url ?? page
    }
}

extension Origin {
    fileprivate func isPlain(_ secure: Origin) -> Bool {
        scheme == "http" && secure.scheme == "https" && host == secure.host
            && (port == 80 || port == secure.port)
    }
}

extension URL {
    fileprivate func moved(to origin: Origin) -> URL? {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.scheme = origin.scheme
        parts?.port = origin.port == 443 ? nil : origin.port
        return parts?.url
    }
}

extension Substring {
    /// Whether a segment of the path, or of its query, begins with a dot.
    fileprivate var hasSegmentWithDot: Bool {
        var previous = UInt8(ascii: "/")
        for byte in utf8 {
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return true }
            previous = byte
        }
        return false
    }
}
