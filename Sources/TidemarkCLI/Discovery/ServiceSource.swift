import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// Where a verb learns which service it talks to.
enum ServiceSource {
    case configuration(ConfigurationFile)
    case address(PullAddress)

    /// Finds the source: what the argument names; without one, the `tidemark.yml` of the current
    /// folder, else the address that the store remembers.
    ///
    /// - Parameters:
    ///   - argument: A path or an address.
    ///   - store: The path of the store, if the command or the environment names one.
    ///   - headers: The header fields that requests to an address carry.
    /// - Throws: ``Failure`` where it does not exist, or where header fields are given for a
    ///   configuration.
    init(_ argument: String?, store: String?, headers: HeaderFields) throws {
        if let known = try Self(known: argument, store: store, headers: headers) {
            self = known
            return
        }
        if let store, FileManager.default.fileExists(atPath: store) {
            throw Failure(
                .notFound,
                "\(store) does not remember a service, and there is no \(ConfigurationFile.usualName). "
                    + "Name a configuration or an address."
            )
        }
        // The error names the file that is expected.
        self = .configuration(try ConfigurationFile(ConfigurationFile.usualName))
    }

    /// Finds the source as ``init(_:store:headers:)`` does; nil where no argument, no configuration
    /// and no store names one.
    init?(known argument: String?, store: String?, headers: HeaderFields) throws {
        if let argument, PullAddress.isOne(argument) {
            guard let given = PullAddress(argument) else { throw PullAddress.invalid }
            self = .address(try given.with(headers))
            return
        }
        let hasFile = FileManager.default.fileExists(atPath: ConfigurationFile.usualName)
        if argument == nil, !hasFile, let store,
            let given = try Self.remembered(by: store, headers)
        {
            self = .address(given)
            return
        }
        guard headers.isEmpty else {
            throw Failure(
                .usage,
                "--header is for an address. In a configuration, use service.headers."
            )
        }
        guard hasFile || argument != nil else { return nil }
        self = .configuration(try ConfigurationFile(argument ?? ConfigurationFile.usualName))
    }

    /// The limits that the configuration sets, the defaults for an address.
    func limits() throws -> Limits {
        switch self {
        case .configuration(let file): try file.configuration.limits()
        case .address: Limits()
        }
    }

    /// The address that a store remembers; nil where there is no store, or none that was made by an
    /// address.
    private static func remembered(
        by path: String,
        _ headers: HeaderFields
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
