import Foundation
import TidemarkRemote

/// An environment variable that a configuration references.
struct SecretRequest: Hashable {
    var name: String

    /// The key path of the reference, for messages.
    var location: String
}

extension Configuration {
    /// Returns the environment variables that the configuration references: those of header fields
    /// first, ordered by field name, then those of the credentials, of the query of the URL, and of
    /// the queries of paths.
    func secretRequests() throws -> [SecretRequest] {
        guard let service else { return [] }
        var texts = (service.headers ?? [:]).sorted { $0.key < $1.key }
            .map { ("service.headers.\($0.key)", $0.value) }
        if let bearer = service.auth?.bearer { texts.append(("service.auth.bearer", bearer)) }
        if let basic = service.auth?.basic {
            texts.append(("service.auth.basic.user", basic.user))
            texts.append(("service.auth.basic.password", basic.password))
        }
        let inFields = texts.flatMap { location, text in
            Secrets.names(in: text).map { SecretRequest(name: $0, location: location) }
        }
        let queries = [ConfiguredPath(location: "service.url", text: service.url)] + paths
        let inQueries = queries.flatMap { path in
            QueryParameter.parameters(of: path.text).flatMap(\.variables)
                .map { SecretRequest(name: $0, location: path.location) }
        }
        return inFields + inQueries
    }

    /// A path of the configuration, or an option that contains one.
    struct ConfiguredPath {
        /// The key path, for messages.
        let location: String
        let text: String
    }

    /// The paths of the lists, and the options with the paths of their changes.
    var paths: [ConfiguredPath] {
        var paths = Self.paths(of: service?.push, at: "service.push")
        for (name, sections) in (resources ?? [:]).sorted(by: { $0.key < $1.key }) {
            for (number, section) in sections.all.enumerated() {
                let index = sections.all.count > 1 ? "[\(number)]" : ""
                let location = "resources.\(name)\(index)"
                if let path = section[.path] {
                    paths.append(ConfiguredPath(location: "\(location).path", text: path))
                }
                paths += Self.paths(of: section.push, at: "\(location).push")
            }
        }
        return paths
    }

    private static func paths(of push: PushSection?, at location: String) -> [ConfiguredPath] {
        guard case .preset(let options, _) = push else { return [] }
        return options.sorted { $0.key.rawValue < $1.key.rawValue }.map { option, text in
            // What follows a path in an option does not belong to its query.
            let end = text.firstIndex { $0 == ">" } ?? text.endIndex
            var path = text[..<end]
            if path.hasSuffix(" whole") { path.removeLast(" whole".count) }
            return ConfiguredPath(location: "\(location).\(option.rawValue)", text: String(path))
        }
    }

    /// The parameters in the query of the service's URL that are secrets, or contain variables.
    ///
    /// They are sent with every request, and never stored.
    func secretParameters() throws -> [QueryParameter] {
        QueryParameter.parameters(of: service?.url ?? "")
            .filter { $0.isSecret || !$0.variables.isEmpty }
    }

    /// Checks that no query contains what looks like a generated secret.
    ///
    /// A file is copied, and may be published, with what it contains.
    ///
    /// - Throws: ``Failure`` that names the parameter, without its value.
    func expectNoSecrets() throws {
        let queries = [ConfiguredPath(location: "service.url", text: service?.url ?? "")] + paths
        for path in queries + queryOptions {
            for parameter in QueryParameter.parameters(of: path.text)
            where parameter.isSecret && CredentialText.isSecret(parameter.literal[...]) {
                throw Failure(
                    .data,
                    "\(path.location): the value of the parameter \(parameter.plainName) looks like "
                        + "a credential. Set a variable of the environment, and write "
                        + "\(parameter.plainName)=$TIDEMARK_TOKEN in the query of `path`, `url` or an "
                        + "operation."
                )
            }
        }
    }

    /// The options of lists that are queries, as queries of a path.
    private var queryOptions: [ConfiguredPath] {
        let options: [ResourceSection.Option] = [.pageSize, .order, .keys, .count, .deltaOrder]
        func queries(_ section: ResourceSection?, at location: String) -> [ConfiguredPath] {
            options.compactMap { option in
                section?[option].map {
                    let query = $0.hasPrefix("query:") ? $0.dropFirst("query:".count) : $0[...]
                    return ConfiguredPath(
                        location: "\(location).\(option.rawValue)",
                        text: "?\(query)"
                    )
                }
            }
        }
        let ofLists = (resources ?? [:]).sorted { $0.key < $1.key }.flatMap { name, sections in
            sections.all.flatMap { queries($0, at: "resources.\(name)") }
        }
        return queries(service?.lists, at: "service.lists") + ofLists
    }
}

extension QueryParameter {
    /// The name without percent-encoding.
    var plainName: String { name.removingPercentEncoding ?? name }

    /// The value without percent-encoding.
    var plainValue: String { value.removingPercentEncoding ?? value }
}

extension URL {
    /// Returns the URL without some parameters of its query.
    func without(_ parameters: [QueryParameter]) throws -> URL {
        guard !parameters.isEmpty,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let query = parts.percentEncodedQuery
        else { return self }
        let removed = Set(parameters.map { "\($0.name)=\($0.value)" })
        let left = query.split(separator: "&").filter { !removed.contains(String($0)) }
        parts.percentEncodedQuery = left.isEmpty ? nil : left.joined(separator: "&")
        return parts.url ?? self
    }
}
