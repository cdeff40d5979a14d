import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkRemote

extension PullContext {
    /// What tells the way a resource's objects are read from others: what is known of its pages,
    /// and from where changes are asked for, is worth nothing in another.
    ///
    /// The model is no part of it: stores count how often theirs has changed.
    func fingerprint(of resource: RemoteResource) throws -> String {
        var style = resource.style
        // Longer pages are other pages, which nothing is known of.
        style.pageSize = []
        let reading = Reading(
            base: remote.service.url.path,
            style: style,
            version: importer.version,
            kinds: resource.style.objects.kind == nil ? [:] : kinds,
            importing: ImportPolicy(options.importing)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Fingerprint(try encoder.encode(reading)).text
    }

    /// What the objects of a resource depend on.
    private struct Reading: Encodable {
        /// Below which path it stands: on whichever host, for a service may have several.
        var base: String
        var style: ListStyle
        var version: Int
        var kinds: [String: String]
        var importing: ImportPolicy?
    }

    /// What an import does with objects; nil where it does what it usually does, as all pulls did
    /// once.
    private struct ImportPolicy: Encodable {
        var operations: Int
        var unresolved: String
        var invalid: String

        init?(_ options: ImportOptions) {
            var usual = ImportOptions()
            usual.showsValues = options.showsValues
            guard options != usual else { return nil }
            operations = options.operations.rawValue
            unresolved = options.unresolved.rawValue
            invalid = options.invalid.rawValue
        }
    }
}
