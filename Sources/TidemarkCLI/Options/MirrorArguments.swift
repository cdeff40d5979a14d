import ArgumentParser
import TidemarkHTTPClient
import TidemarkModel

/// The service and the store of a verb that works with both.
struct MirrorArguments: ParsableArguments {
    @OptionGroup private var origin: SourceArgument

    @OptionGroup private var mirror: MirrorStoreOption

    @OptionGroup private var headers: HeaderOptions

    /// The path of the store; nil for that of the configuration.
    var store: String? { mirror.store }

    /// The configuration or the URL; nil for the usual one.
    var source: String? { origin.source }

    /// Finds the service, and passes it to `body` with a transport that ends with it.
    func withSource<Value: Sendable>(
        _ body: (ServiceSource, AsyncHTTPClientTransport) async throws -> Value
    ) async throws -> Value {
        let source = try ServiceSource.find(
            origin.source,
            store: mirror.store ?? StoreOptions.inEnvironment,
            headers: headers.fields()
        )
        let limits = try source.limits()
        try ProcessLimits.expectEnough(concurrency: limits.concurrency)
        return try await AsyncHTTPClientTransport.run(limits: limits) { transport in
            try await body(source, transport)
        }
    }
}
