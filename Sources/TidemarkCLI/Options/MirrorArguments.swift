import ArgumentParser
import TidemarkHTTPClient
import TidemarkModel

/// The service and the store of a verb that works with both.
struct MirrorArguments<Origin: MirrorOrigin>: ParsableArguments {
    @OptionGroup private var origin: Origin

    @OptionGroup private var mirror: MirrorStoreOption

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
            headers: origin.fields()
        )
        let limits = source.limits
        try ProcessLimits.expectEnough(concurrency: limits.concurrency)
        return try await AsyncHTTPClientTransport.run(limits: limits) { transport in
            try await body(source, transport)
        }
    }

    /// Finds the service, prepares a plan for it, and passes both to `body`.
    ///
    /// - Parameters:
    ///   - options: The options of the plan. The store is that of the arguments.
    ///   - output: Shows what is requested while the plan is prepared, and its remarks.
    ///   - body: The work. Its transport returns each response that was received for the plan once
    ///     more.
    /// - Throws: Errors of ``PullPlan/prepare(from:options:over:)``, and those that `body` throws.
    func withPlan(
        options: PullPlan.Options,
        output: OutputOptions,
        _ body: (PullPlan, RememberingTransport<AsyncHTTPClientTransport>) async throws -> Void
    ) async throws {
        try await withSource { source, transport in
            let transport = RememberingTransport(transport)
            let bar = ProgressBar(output)
            defer { bar.clear() }
            var options = options
            options.store = store
            options.onRequest = { url in
                bar.show { _ in ["Requesting \(url)".singleLine(limit: ProgressBar.columns)] }
            }
            let plan = try await PullPlan.prepare(
                from: source,
                options: options,
                over: transport
            )
            bar.clear()
            transport.finishRemembering()
            if !output.quiet { for remark in plan.remarks { Console.log(remark) } }
            try await body(plan, transport)
        }
    }
}
