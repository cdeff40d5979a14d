import Foundation
import HTTPTypes
import TidemarkRemote

/// An address as it was given: what may be kept of it, and apart from that the secrets in it.
struct PullAddress {
    /// The address without user, password, fragment and parameters that look like secrets.
    let url: URL

    /// Who is known to the service.
    private(set) var account: String?

    /// The credentials that the address had when it was given first, and that the store it comes
    /// from does not hold.
    private(set) var missing: [String] = []

    /// The header fields that requests carry, with variables as names.
    private(set) var headers: HeaderFields?

    /// The options of all lists, and the name of the service, where a configuration sets them.
    let lists: Configuration.ResourceSection?
    private let name: String?

    private var fields = HTTPFields()
    private var origins: Set<Origin> = []
    private let user: String?
    private let password: String?
    private let secrets: [QueryItem]

    /// The address of a configured service, which has the configured header fields, name and
    /// options of lists.
    init(_ service: Service, _ account: String?, lists: Configuration.ResourceSection?) {
        url = service.url
        name = service.name
        self.lists = lists
        self.account = account
        user = nil
        password = nil
        secrets = service.query
        fields = service.headers
        origins = service.origins
    }

    /// The address with header fields that a store remembers, where none of the name are given.
    func completed(with remembered: HeaderFields) throws -> PullAddress {
        let missing = remembered.without(Set(fields.map(\.name)))
        guard !missing.isEmpty else { return self }
        var result = try with(missing)
        result.headers = headers.map { $0.completed(with: missing) } ?? missing
        return result
    }

    /// The address with header fields.
    ///
    /// - Throws: ``Failure`` where a variable may not be read, or is not set.
    func with(_ headers: HeaderFields) throws -> PullAddress {
        guard !headers.isEmpty, let origin = Origin(url) else { return self }
        var result = self
        result.headers = headers
        result.fields += try headers.filled(Secrets(of: TrustSubject(headers, to: origin)))
        return result
    }

    /// The address as a store remembers it, for the account that the store belongs to.
    func remembered(for account: String?, without secrets: [String]) -> PullAddress {
        var result = self
        result.account = account
        result.missing =
            (account == nil || fields[.authorization] != nil ? [] : ["its user and password"])
            + secrets.map { "`\($0)`" }
        return result
    }

    /// The names of the parameters that look like secrets.
    var secretNames: [String] { secrets.map(\.name) }

    /// What is wrong with a text that is meant as an address.
    static let invalid = Failure(
        .usage,
        "Invalid URL: expected http:// or https://, a host, and a port up to 65535, if any."
    )

    /// Takes an address apart; nil where it is none of the web.
    init?(_ text: String) {
        guard Self.isOne(text), var parts = URLComponents(string: text) else { return nil }
        account = parts.account
        name = nil
        lists = nil
        user = parts.user
        password = parts.password
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

    /// Whether a text is meant as an address.
    static func isOne(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// A service below the given address, known by the secrets in it.
    func service(at base: URL, preset: String = "rest") -> Service {
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        parts?.user = user
        parts?.password = password
        let url = parts?.url ?? base
        var service = Service.presets[preset]?(url) ?? Service(url: url)
        service.name = name
        service.query = secrets
        service.origins = origins
        for field in fields { service.headers[field.name] = nil }
        service.headers.append(contentsOf: fields)
        return service
    }
}

extension URL {
    /// The address taken apart into that of a service and the path of a list below it.
    ///
    /// The path is as long as the template, where it is like it: `collections/films/records` is
    /// one like `collections/{collection}/records`. Else it is the last component.
    ///
    /// - Returns: The parts, and the word in the path that says what the objects are.
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
        let place = isLike ? pattern.firstIndex { $0.hasPrefix("{") } ?? 0 : 0
        let words = components.suffix(count).map { $0.removingPercentEncoding ?? $0 }
        var rest = components.suffix(count).joined(separator: "/")
        if path.hasSuffix("/"), !rest.isEmpty { rest += "/" }
        if let query = parts.percentEncodedQuery { rest += "?\(query)" }
        parts.percentEncodedPath = "/" + components.dropLast(count).map { "\($0)/" }.joined()
        parts.query = nil
        guard let base = parts.url else { return nil }
        return (base, rest, words.indices.contains(place) ? words[place] : "")
    }

    /// Whether the address is one of a list as a service of a template has them.
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
