import Foundation
import HTTPTypes
import TidemarkRemote

/// A URL given by the user, split into the part that may be stored and the secrets in it.
struct PullAddress {
    /// The URL without user, password, fragment and query parameters that look like secrets.
    let url: URL

    /// The name of the account at the service.
    private(set) var account: String?

    /// The credentials of the original URL that the store does not contain, as messages name them.
    private(set) var missing: [String] = []

    /// The header fields that requests carry, with environment variables as names.
    private(set) var headers: HeaderFields?

    /// The options of all lists and the name of the service, if a configuration sets them.
    let lists: Configuration.ResourceSection?
    private let name: String?

    private var fields = HTTPFields()
    private var origins: Set<Origin> = []

    /// How a configuration says that changes are sent, and the secrets in the paths of that.
    private var push = PushStyle.readOnly
    private var hiddenValues: [Service.HiddenValue] = []
    private let login: (user: String?, password: String?)
    private let secrets: [QueryItem]

    /// Creates the address of a configured service, with its header fields, name and list options.
    init(_ service: Service, account: String?, lists: Configuration.ResourceSection?) {
        url = service.url
        name = service.name
        self.lists = lists
        self.account = account
        login = (nil, nil)
        secrets = service.query
        fields = service.headers
        origins = service.origins
        push = service.push
        hiddenValues = service.hiddenValues
    }

    /// Returns the address with the header fields that a store records, except those whose names
    /// are already set.
    func completed(with remembered: HeaderFields) throws -> PullAddress {
        let missing = remembered.without(Set(fields.map(\.name)))
        guard !missing.isEmpty else { return self }
        var result = try with(missing)
        result.headers = headers.map { $0.completed(with: missing) } ?? missing
        return result
    }

    /// Returns the address with additional header fields.
    ///
    /// - Throws: ``Failure`` if an environment variable is not permitted or not set.
    func with(_ headers: HeaderFields) throws -> PullAddress {
        guard !headers.isEmpty, let origin = Origin(url) else { return self }
        var result = self
        result.headers = headers
        result.fields += try headers.filled(Secrets(of: TrustSubject(headers, to: origin)))
        return result
    }

    /// Returns the address as a store records it, for the account to which the store belongs.
    func remembered(for account: String?, without secrets: [String]) -> PullAddress {
        var result = self
        result.account = account
        result.missing =
            (account == nil || fields[.authorization] != nil ? [] : ["its user and password"])
            + secrets.map { "`\($0)`" }
        return result
    }

    /// The names of the query parameters that look like secrets.
    var secretNames: [String] { secrets.map(\.name) }

    /// The error for a text that is not a valid URL.
    static let invalid = Failure(
        .usage,
        "Invalid URL: expected http:// or https://, a host, and a port up to 65535, if any."
    )

    /// Parses a URL; nil if it is not a valid HTTP or HTTPS URL.
    init?(_ text: String) {
        guard Self.isURL(text), var parts = URLComponents(string: text) else { return nil }
        account = parts.account
        name = nil
        lists = nil
        login = (parts.user, parts.password)
        secrets = (parts.queryItems ?? []).filter { URL.isSecret($0.name) }
            .map { QueryItem($0.name, $0.value ?? "") }
        let open = (parts.percentEncodedQueryItems ?? []).filter { !URL.isSecret($0.name) }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        if !secrets.isEmpty { parts.percentEncodedQueryItems = open.isEmpty ? nil : open }
        guard let url = parts.url, Origin(url) != nil else { return nil }
        self.url = url
    }

    /// Returns whether a text starts like an HTTP or HTTPS URL.
    static func isURL(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Returns a service at a base URL with the credentials of this address.
    func service(at base: URL, preset: String = "rest") -> Service {
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        parts?.user = login.user
        parts?.password = login.password
        let url = parts?.url ?? base
        var service = Service.presets[preset]?(url) ?? Service(url: url)
        service.name = name
        service.query = secrets
        service.origins = origins
        service.push = push
        service.hiddenValues = hiddenValues
        for field in fields { service.headers[field.name] = nil }
        service.headers.append(contentsOf: fields)
        return service
    }
}

extension URL {
    /// Splits the URL into the base URL of a service and the path of a list relative to it.
    ///
    /// If the end of the URL's path matches the template, the list's path has as many components as
    /// the template: `collections/films/records` matches `collections/{collection}/records`.
    /// Otherwise the list's path is the last component.
    ///
    /// - Returns: The base URL, the path, and the component that names the collection.
    func split(like template: String) -> (base: URL, path: String, word: String)? {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let path = parts.percentEncodedPath
        let components = path.split(separator: "/").map(String.init)
        let pattern = template.split(separator: "/").map(String.init)
        let last = Array(components.suffix(pattern.count))
        let isLike = last.count == pattern.count && zip(last, pattern).allSatisfy { $0.isLike($1) }
        let count = isLike ? pattern.count : 1
        let index = isLike ? pattern.firstIndex { $0.hasPrefix("{") } ?? 0 : 0
        let words = components.suffix(count).map { $0.removingPercentEncoding ?? $0 }
        var rest = components.suffix(count).joined(separator: "/")
        if path.hasSuffix("/"), !rest.isEmpty { rest += "/" }
        if let query = parts.percentEncodedQuery { rest += "?\(query)" }
        parts.percentEncodedPath = "/" + components.dropLast(count).map { "\($0)/" }.joined()
        parts.query = nil
        guard let base = parts.url else { return nil }
        return (base, rest, words.indices.contains(index) ? words[index] : "")
    }

    /// Returns whether the end of the URL's path matches the path template of a service.
    func isLike(_ template: String) -> Bool {
        let components = path().split(separator: "/").map(String.init)
        let pattern = template.split(separator: "/").map(String.init)
        let last = components.suffix(pattern.count)
        return last.count == pattern.count && zip(last, pattern).allSatisfy { $0.isLike($1) }
    }
}

extension String {
    fileprivate func isLike(_ pattern: String) -> Bool {
        pattern.hasPrefix("{") || pattern == self
    }
}
