import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The source from which a verb gets the description of the service.
enum ServiceSource {
    case configuration(ConfigurationFile)
    case address(PullAddress)

    /// Finds the source: the argument; without one, the `tidemark.yml` of the current folder;
    /// without that, the URL that the store records.
    ///
    /// - Parameters:
    ///   - argument: A path or a URL.
    ///   - store: The path of the store, if the command or the environment specifies one.
    ///   - headers: The header fields that requests to a URL carry.
    /// - Returns: The source.
    /// - Throws: ``Failure`` if the source does not exist, or if header fields are given for a
    ///   configuration.
    static func find(
        _ argument: String?,
        store: String?,
        headers: HeaderFields
    ) throws -> ServiceSource {
        if let known = try findKnown(argument, store: store, headers: headers) { return known }
        if let store, FileManager.default.fileExists(atPath: store) {
            throw Failure(
                .notFound,
                "\(store) does not remember a service, and there is no \(ConfigurationFile.usualName). "
                    + "Name a configuration or an address."
            )
        }
        // The error names the file that is expected.
        return .configuration(try ConfigurationFile.read(ConfigurationFile.usualName))
    }

    /// Finds the source as ``find(_:store:headers:)`` does.
    ///
    /// Returns nil if there is no argument, no configuration in the current folder, and no URL in
    /// the store.
    static func findKnown(
        _ argument: String?,
        store: String?,
        headers: HeaderFields
    ) throws -> ServiceSource? {
        if let argument, PullAddress.isURL(argument) {
            guard let given = PullAddress(argument) else { throw PullAddress.invalid }
            return .address(try given.with(headers))
        }
        let hasFile = FileManager.default.fileExists(atPath: ConfigurationFile.usualName)
        if argument == nil, !hasFile, let store,
            let given = try remembered(by: store, headers: headers)
        {
            return .address(given)
        }
        guard headers.isEmpty else {
            throw Failure(
                .usage,
                "--header is for an address. In a configuration, use service.headers."
            )
        }
        guard hasFile || argument != nil else { return nil }
        return .configuration(
            try ConfigurationFile.read(argument ?? ConfigurationFile.usualName)
        )
    }

    /// The limits of the configuration, or the default limits for a URL.
    var limits: Limits {
        switch self {
        case .configuration(let file): file.configuration.limits
        case .address: Limits()
        }
    }

    /// Returns the URL that a store records.
    ///
    /// Returns nil if the store does not exist or was not created from a URL.
    private static func remembered(
        by path: String,
        headers: HeaderFields
    ) throws -> PullAddress? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let store = try Store.openReadOnly(at: path)
        let memories = try store.model.entities.compactMap { try RememberedList($0) }
        guard let memory = memories.first else { return nil }
        guard let given = PullAddress(memory.service.absoluteString) else {
            throw PullAddress.invalid
        }
        return try given.with(headers).completed(with: memory.headers)
            .remembered(for: ServiceBinding.account(of: store), without: memory.secrets)
    }
}
