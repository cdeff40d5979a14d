import Foundation
import TidemarkModel
import TidemarkRemote

/// How the list of an entity is read, as the store's model remembers it: the entity's annotations
/// say it in the words of `tidemark.yml`.
struct RememberedList {
    /// The address of the service.
    var service: URL
    var preset: String
    var path: String
    var options = Configuration.ResourceSection()

    /// The header fields that requests carry, with variables as names.
    var headers: HeaderFields

    /// The names of the parameters of the address whose values are secrets, which are not stored.
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

    /// What an entity remembers; nil where that is nothing.
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

    /// The annotations.
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

    /// The annotations of an entity, with this memory in place of an earlier one.
    func annotations(of entity: EntityDescription) -> [String: String] {
        var result = entity.userInfo
        for name in ["headers", "secrets"] { result[Self.prefix + name] = nil }
        return result.merging(annotations) { _, new in new }
    }

    /// The resource of an entity.
    func resource(
        _ entity: String,
        of given: PullAddress,
        preset: String? = nil
    ) throws -> RemoteResource {
        let usual = given.service(at: service, preset: preset ?? self.preset)
        var resource = usual.resource(entity, path: path)
        resource.typeName = options.type
        if preset == nil { try options.change(&resource.style, entity) }
        // A configuration comes before what a response showed.
        try given.lists?.changeAll(&resource.style, "service.lists")
        return resource
    }

    /// The address of the list.
    var address: URL? { URL(string: path, relativeTo: service)?.absoluteURL }
}
