import Foundation
import HTTPTypes
import TidemarkInference
import TidemarkModel
import TidemarkRemote

extension Configuration {
    /// Returns the configured service with its header fields, its credentials, and the secrets in
    /// the queries of its URL and of paths.
    func remoteService(_ secrets: Secrets) throws -> Service {
        var service = try bareService()
        let fields = try self.service?.fields(secrets) ?? [:]
        for field in fields { service.headers[field.name] = nil }
        service.headers.append(contentsOf: fields)
        for parameter in try secretParameters() {
            service.query.append(
                QueryItem(parameter.plainName, try secrets.fill(parameter.plainValue))
            )
        }
        for path in paths {
            for name in QueryParameter.parameters(of: path.text).flatMap(\.variables) {
                service.hide(variable: name, value: try secrets.fill("$\(name)"))
            }
        }
        return service
    }

    /// Returns the configured service without header fields and credentials, so that no environment
    /// variable is read.
    func bareService() throws -> Service {
        guard let section = service else {
            throw Failure(.usage, "The configuration has no service. Add service: {url: …}.")
        }
        guard let url = URL(string: section.url), Origin(url) != nil else {
            throw Failure(
                .data,
                "service.url: invalid URL \(section.shownURL): expected http:// or https://, a host, "
                    + "and a port up to 65535, if any."
            )
        }
        let name = section.preset ?? "rest"
        guard let preset = Service.presets[name] else {
            let known = Service.presets.keys.sorted().joined(separator: ", ")
            throw Failure(.data, "service.preset \(name) is not known. Known are \(known).")
        }
        try expectNoSecrets()
        var service = preset(try url.without(secretParameters()))
        service.name = section.name
        try section.lists?.applyToAll(&service.style, at: "service.lists")
        service.push = try section.push?.style(on: pushPreset, at: "service.push") ?? .readOnly
        for text in section.origins ?? [] {
            guard let origin = Origin(text) else {
                throw Failure(
                    .data,
                    "service.origins: \(text) is not an origin such as https://host."
                )
            }
            service.origins.insert(origin)
        }
        return service
    }

    /// Returns the name of the account at the service: the `account` of the file, otherwise the
    /// user of the configured credentials, otherwise the user in the URL.
    ///
    /// The store records this name. A user name that comes from the environment, or that has no
    /// password, is replaced by a digest, which is enough to distinguish two accounts.
    func account(_ secrets: Secrets) throws -> String? {
        if let account = service?.account { return account }
        guard let basic = service?.auth?.basic else { return service?.accountOfURL }
        guard Secrets.names(in: basic.user).isEmpty else {
            return AccountName.digest(of: try secrets.fill(basic.user))
        }
        return AccountName.of(basic.user, password: basic.password)
    }

    /// Returns the configured resources.
    ///
    /// If none are configured, returns one resource for each concrete entity that has a primary
    /// key.
    ///
    /// - Parameters:
    ///   - service: The service. It is given the secrets in the queries of the resources, which
    ///     contain placeholders for them.
    ///   - model: The model.
    /// - Returns: The resources.
    /// - Throws: ``Failure`` if an option is invalid.
    func remoteResources(of service: inout Service, model: Model) throws -> [RemoteResource] {
        guard let resources, !resources.isEmpty else {
            let entities = ModelSummary(model).entities
            // Objects without a primary key occur only inside other objects, never as a list of
            // their own.
            let listed = model.entities.filter {
                !$0.isAbstract && entities[$0.name]?.primaryKey.isEmpty == false
            }
            var usual = listed.map { service.resource(of: $0) }
            service.hideSecrets(in: &usual)
            return usual
        }
        return try listedResources(of: &service, model: model)
    }

    /// The style of changes that belongs to the preset of the service.
    private var pushPreset: PushStyle { PushStyle.presets[service?.preset ?? "rest"] ?? .rest }

    /// Returns the configured resources only.
    ///
    /// See ``remoteResources(of:model:)``.
    func listedResources(
        of service: inout Service,
        model: Model = Model(entities: [])
    ) throws -> [RemoteResource] {
        var listed = try listedResources(of: service, model: model)
        service.hideSecrets(in: &listed)
        return listed
    }

    private func listedResources(of service: Service, model: Model) throws -> [RemoteResource] {
        try (resources ?? [:]).sorted { $0.key < $1.key }.flatMap { name, sections in
            try sections.all.enumerated().map { number, section in
                let entity = model[name] ?? EntityDescription(name, attributes: [])
                var resource = service.resource(of: entity)
                resource.path = section[.path] ?? resource.path
                resource.typeName = section[.type] ?? resource.typeName
                let index = sections.all.count > 1 ? "[\(number)]" : ""
                try section.apply(to: &resource.style, at: "resources.\(name)\(index)")
                if let push = section.push {
                    let preset = service.push.isReadOnly ? pushPreset : service.push
                    let keyPath = "resources.\(name)\(index).push"
                    resource.push = try push.style(on: preset, at: keyPath)
                }
                return resource
            }
        }
    }
}

extension Configuration.ServiceSection {
    /// The account name derived from the URL; nil if other credentials are sent instead.
    fileprivate var accountOfURL: String? {
        let names = (headers ?? [:]).keys.compactMap { HTTPField.Name($0) }
        guard auth?.bearer == nil, !names.contains(.authorization) else { return nil }
        return URLComponents(string: url)?.account
    }

    /// The configured URL without its query and user information, which may contain secrets.
    fileprivate var shownURL: String {
        let text = url.prefix { $0 != "?" }
        return text.lastIndex(of: "@").map { "…\(text[$0...])" } ?? String(text)
    }

    /// Returns the header fields that every request carries.
    fileprivate func fields(_ secrets: Secrets) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let field = HTTPField.Name(name) else {
                throw Failure(.data, "service.headers: \(name) is not a name of a header field.")
            }
            fields[field] = try secrets.fill(value)
        }
        if let bearer = auth?.bearer {
            fields[.authorization] = "Bearer \(try secrets.fill(bearer))"
        } else if let basic = auth?.basic {
            let pair = "\(try secrets.fill(basic.user)):\(try secrets.fill(basic.password))"
            fields[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
        return fields
    }
}
