import Foundation
import TidemarkModel
import TidemarkRemote

/// The configuration of an entity's list as recorded in the store's model: annotations of the
/// entity with the keys of `tidemark.yml`.
struct RememberedList {
    /// The base URL of the service.
    var service: URL
    var preset: String
    var path: String
    var options = Configuration.ResourceSection()

    /// The header fields that requests carry, with environment variables as names.
    var headers: HeaderFields

    /// The names of the query parameters whose values are secrets.
    ///
    /// The values are not stored.
    var secrets: [String] = []

    private static let prefix = "tidemark."

    /// The options that annotations record.
    private static let options: [Configuration.ResourceSection.Option] = [
        .envelope, .pagination, .total, .type, .content,
    ]

    init(
        service: URL,
        preset: String,
        path: String,
        options: Configuration.ResourceSection,
        headers: HeaderFields
    ) {
        self.headers = headers
        self.service = service
        self.preset = preset
        self.path = path
        self.options = options
    }

    /// Reads the annotations of an entity; nil if it has none for a list.
    init?(_ entity: EntityDescription) throws {
        func annotation(_ name: String) -> String? { entity.userInfo[Self.prefix + name] }
        guard let service = annotation("service").flatMap({ URL(string: $0) }),
            let preset = annotation("preset"), let path = annotation("path")
        else { return nil }
        let headers = try HeaderFields(
            (annotation("headers") ?? "").split(separator: "\n").map(String.init)
        )
        self.init(
            service: service,
            preset: preset,
            path: path,
            options: .init(),
            headers: headers
        )
        secrets = (annotation("secrets") ?? "").split(separator: "\n").map(String.init)
        for option in Self.options { options[option] = annotation(option.rawValue) }
    }

    /// The configuration as annotations.
    var annotations: [String: String] {
        var values = ["service": service.absoluteString, "preset": preset, "path": path]
        for option in Self.options { values[option.rawValue] = options[option] }
        if !headers.isEmpty { values["headers"] = headers.lines.joined(separator: "\n") }
        if !secrets.isEmpty { values["secrets"] = secrets.joined(separator: "\n") }
        return Dictionary(uniqueKeysWithValues: values.map { (Self.prefix + $0.key, $0.value) })
    }

    /// Returns the annotations of an entity, with those of an earlier configuration replaced.
    func annotations(of entity: EntityDescription) -> [String: String] {
        var result = entity.userInfo
        for name in ["headers", "secrets"] { result[Self.prefix + name] = nil }
        return result.merging(annotations) { _, new in new }
    }

    /// Returns the resource of an entity.
    func resource(
        _ entity: String,
        of given: PullAddress,
        preset: String? = nil
    ) throws -> RemoteResource {
        let usual = given.service(at: service, preset: preset ?? self.preset)
        var resource = usual.resource(entity, path: path)
        resource.typeName = options[.type]
        if preset == nil { try options.apply(to: &resource.style, at: entity) }
        resource.style.asksForSecondPage = true
        // A preset that was recognized says nothing about numbers.
        if resource.style.pagination == .automatic { resource.style.base = nil }
        // The configuration takes precedence over what was recognized from a response.
        try given.lists?.applyToAll(&resource.style, at: "service.lists")
        return resource
    }

    /// The URL of the list.
    var address: URL? { URL(string: path, relativeTo: service)?.absoluteURL }
}
