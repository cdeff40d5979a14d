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
        func note(_ name: String) -> String? { entity.userInfo[Self.prefix + name] }
        guard let service = note("service").flatMap({ URL(string: $0) }),
            let preset = note("preset"), let path = note("path")
        else { return nil }
        let headers = try HeaderFields(
            (note("headers") ?? "").split(separator: "\n").map(String.init)
        )
        self.init(
            service: service,
            preset: preset,
            path: path,
            options: .init(),
            headers: headers
        )
        secrets = (note("secrets") ?? "").split(separator: "\n").map(String.init)
        options.envelope = note("envelope")
        options.pagination = note("pagination")
        options.total = note("total")
        options.type = note("type")
        options.content = note("content")
    }

    /// The configuration as annotations.
    var annotations: [String: String] {
        let notes: [String: String?] = [
            "service": service.absoluteString, "preset": preset, "path": path,
            "envelope": options.envelope, "pagination": options.pagination, "total": options.total,
            "type": options.type, "content": options.content,
            "headers": headers.isEmpty ? nil : headers.lines.joined(separator: "\n"),
            "secrets": secrets.isEmpty ? nil : secrets.joined(separator: "\n"),
        ]
        return Dictionary(
            uniqueKeysWithValues: notes.compactMap { name, value in
                value.map { (Self.prefix + name, $0) }
            }
        )
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
        resource.typeName = options.type
        if preset == nil { try options.change(&resource.style, entity) }
        // The configuration takes precedence over what was recognized from a response.
        try given.lists?.changeAll(&resource.style, "service.lists")
        return resource
    }

    /// The URL of the list.
    var address: URL? { URL(string: path, relativeTo: service)?.absoluteURL }
}
