import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

extension Assets {
    /// Creates the assets of an engine.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - folder: The folder of the files; nil for the one next to the store.
    ///   - configuration: The configuration of the engine.
    ///   - telemetry: Receives the events.
    init(
        _ store: Store,
        in folder: URL?,
        _ configuration: SyncConfiguration,
        reportingTo telemetry: Telemetry
    ) {
        var limits = configuration.limits
        self.store = store
        self.folder = folder.map(AssetFolder.init(_:)) ?? AssetFolder(of: store)
        self.limits = limits
        environment = configuration.environment
        // Bytes are written to the disk as they arrive, so that a broken download can be resumed. A
        // body in memory would be requested from its start again.
        limits.http.bodyInMemory = 0
        remote = Remote(
            configuration.service,
            over: MeteredTransport(
                base: configuration.transport,
                service: configuration.service,
                // Not those of the engine, which are the requests of its runs.
                traffic: Locked(MeteredTransport.Traffic()),
                telemetry: telemetry,
                environment: environment
            ),
            credentials: configuration.credentials,
            environment: environment,
            limits: limits
        ) { [telemetry] wait, reason in
            telemetry.emit(.retrying(after: wait, reason: reason.message))
        }
    }

    /// Creates the assets of an engine for a copy of a store, which has no files.
    init(_ other: Assets, on copy: Store) {
        store = copy
        folder = nil
        remote = other.remote
        limits = other.limits
        environment = other.environment
    }
}
