import Foundation

extension Service {
    /// The URL of a resource: its path below the service's.
    func address(of resource: RemoteResource) throws -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw notAnAddress(url.shown)
        }
        parts.query = nil
        parts.fragment = nil
        if !parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath += "/" }
        let path = resource.path.drop { $0 == "/" }
        // A colon in the first segment would pass for a scheme.
        let link = path.contains("://") ? String(path) : "./\(path)"
        guard let base = parts.url else { throw notAnAddress(url.shown) }
        return try admit(link, from: base, code: .linkRefused, hiding: secrets)
    }

    /// The URL that a link found at `base` leads to, if it stays within the service.
    ///
    /// A link to the service's own host by http is asked by https where the service is.
    ///
    /// - Throws: ``RemoteError`` of the code where it leads elsewhere.
    func admit(
        _ link: String,
        from base: URL,
        code: RemoteError.Code,
        hiding secrets: SecretMask
    ) throws -> URL {
        guard let own = Origin(url) else { throw notAnAddress(url.shown) }
        guard let target = URL(string: link, relativeTo: base)?.absoluteURL,
            let origin = Origin(target)
        else {
            throw RemoteError(
                code,
                "\(secrets.masked(base)) leads to \(Self.quoted(secrets.hiding(in: link))), which is "
                    + "not a valid URL.",
                hint: "The service must link to http:// or https:// addresses."
            )
        }
        if origin == own || origins.contains(origin) { return target }
        if origin.isPlain(own), let secure = target.moved(to: own) { return secure }
        throw refusal(
            of: secrets.hiding(in: "\(origin)"),
            from: secrets.masked(base),
            isOwnHost: origin.host == own.host && origin.scheme == "https",
            code: code
        )
    }

    /// The URL of a page as the service has it now.
    ///
    /// A service with a ``name`` may have moved to another address since the URL was stored.
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

    private func refusal(
        of origin: String,
        from base: String,
        isOwnHost: Bool,
        code: RemoteError.Code
    ) -> RemoteError {
        RemoteError(
            code,
            "\(base) leads to \(origin), which does not belong to the service at \(description).",
            hint: isOwnHost
                ? "If that is the service's true address, write it as the service's URL."
                : "If it belongs to the service, add \(origin) to its origins."
        )
    }

    private func notAnAddress(_ text: String) -> RemoteError {
        RemoteError(
            .invalidRequest,
            "\(Self.quoted(text)) is no address of a service.",
            hint: "It begins with https:// and names a host."
        )
    }

    private static func quoted(_ text: String) -> String {
        "“\(ServiceMessage.oneLine(text, limit: 200))”"
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
