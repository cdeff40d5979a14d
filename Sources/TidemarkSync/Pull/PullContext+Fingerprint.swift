import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkRemote

extension PullContext {
    /// Returns a fingerprint of the settings that determine how the objects of a resource are read.
    ///
    /// Cursors and cached pages are valid only while it is the same.
    ///
    /// The model is not included, because the store counts the changes of its model.
    func fingerprint(of resource: RemoteResource) throws -> String {
        var style = resource.style
        // Pages of another size have other URLs, and therefore no cache entries.
        style.parameters.pageSize = []
        let reading = Reading(
            base: run.remote.service.url.path,
            style: style,
            version: run.importer.version,
            kinds: resource.style.objects.kind == nil ? [:] : entitiesByType,
            importing: ImportPolicy(options.importing),
            omitsNulls: resource.style.omitsNulls
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Fingerprint(try encoder.encode(reading)).text
    }

    /// The settings that the objects of a resource depend on.
    private struct Reading: Encodable {
        /// The path of the service's URL.
        ///
        /// The host is excluded, as a service may have several.
        var base: String
        var style: ResourceStyle
        var version: Int
        var kinds: [String: String]
        var importing: ImportPolicy
        var omitsNulls: Bool
    }

    /// The import options that determine what is stored of an object.
    private struct ImportPolicy: Encodable {
        var operations: Int
        var unresolved: String
        var invalid: String
        var omitsNulls: Bool

        init(_ options: ImportOptions) {
            operations = options.permitted.rawValue
            unresolved = options.unresolved.rawValue
            invalid = options.invalid.rawValue
            omitsNulls = options.omitsNulls
        }
    }
}
