import Foundation
import TidemarkModel
import TidemarkRemote

/// How the list of an entity is read, as the store's model remembers it: the entity's annotations
/// say it in the words of `tidemark.yml`.
struct ListMemory {
    /// The address of the service.
    var service: URL
    var preset: String
    var path: String
    var options = Configuration.ResourceSection()

    /// The header fields that requests carry, with variables as names.
    var headers: HeaderFields

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
    init?(_ entity: Entity) throws {
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
        ]
        return Dictionary(
            uniqueKeysWithValues: notes.compactMap { name, value in
                value.map { (Self.prefix + name, $0) }
            }
        )
    }

    /// The resource of an entity.
    func resource(
        _ entity: String,
        of given: GivenAddress,
        preset: String? = nil
    ) throws -> Resource {
        let usual = given.service(at: service, preset: preset ?? self.preset)
        var resource = usual.resource(entity, path: path)
        resource.typeName = options.type
        if preset == nil { try options.change(&resource.style, entity) }
        return resource
    }

    /// The address of the list.
    var address: URL? { URL(string: path, relativeTo: service)?.absoluteURL }
}
