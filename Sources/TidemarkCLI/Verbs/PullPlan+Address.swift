import Foundation
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

extension PullPlan {
    /// Prepares the pull from a URL.
    ///
    /// The store records how to read the lists, so that they are discovered only once. If the store
    /// does not exist, it is created with an inferred model.
    static func prepare(
        for given: PullAddress,
        options: Options,
        over transport: some Transport
    ) async throws -> PullPlan {
        guard let path = options.store ?? StoreOptions.inEnvironment else {
            throw Failure(.usage, "No store is named. Use --store PATH.")
        }
        func discover() async throws -> ServiceDiscovery {
            try await ServiceDiscovery.run(
                for: given,
                preset: options.preset,
                over: transport,
                limits: options.limits,
                onRequest: options.onRequest
            )
        }
        guard !options.mayCreate || FileManager.default.fileExists(atPath: path) else {
            var discovery = try await discover()
            let model = try discovery.model()
            var plan = PullPlan(
                store: options.isDryRun
                    ? try Store.inMemory(model: model)
                    : try CreatableStoreOptions.open(path, model: model),
                service: discovery.service,
                resources: try discovery.resources(),
                options: options
            )
            let announcement = model.announcement(
                of: path,
                from: given.url.shown,
                isDryRun: options.isDryRun
            )
            plan.remarks = [announcement] + discovery.remarks
            return plan
        }
        let store =
            options.isDryRun
            ? try Store.openReadOnly(at: path).temporaryCopy() : try Store.open(at: path)
        if options.isDryRun { try store.forgetRuns() }
        // A store that belongs to a different service is rejected before the first request.
        try ServiceBinding(given.service(at: given.url), account: options.account).check(store)
        if let plan = try recorded(for: given, in: store, options: options) { return plan }
        let discovery = try await discover()
        var plan = PullPlan(
            store: store,
            service: discovery.service,
            resources: try discovery.resources(),
            options: options
        )
        plan.remarks = discovery.remarks
        return plan
    }

    /// Stores the header fields of the URL in the model after a successful pull, which shows that
    /// they work.
    ///
    /// - Throws: `StoreError`, `DatabaseError`.
    func rememberHeaders() throws {
        guard let newHeaders else { return }
        var model = store.model
        for index in model.entities.indices {
            guard var memory = try RememberedList(model.entities[index]) else { continue }
            memory.headers = newHeaders
            model.entities[index].userInfo = memory.annotations(of: model.entities[index])
        }
        guard model != store.model else { return }
        _ = try store.migrate(to: model, environment: .live)
    }

    /// Returns the plan for the lists that a store records for a URL; nil if it records none.
    private static func recorded(
        for given: PullAddress,
        in store: Store,
        options: Options
    ) throws -> PullPlan? {
        let all = try store.model.entities.compactMap { entity in
            try RememberedList(entity).map { (entity: entity.name, list: $0) }
        }
        guard let first = all.first else { return nil }
        let address = given.url.comparable
        let ofService = all.filter { $0.list.service.comparable == address }
        let chosen =
            ofService.isEmpty ? all.filter { $0.list.address?.comparable == address } : ofService
        guard !chosen.isEmpty else {
            let paths = all.map(\.list.path).sorted().joined(separator: ", ")
            throw Failure(
                .notFound,
                "The store has no list of \(given.url.shown); it was made for \(paths) of "
                    + "\(first.list.service.shown). Pull into another store."
            )
        }
        let complete = try given.completed(with: first.list.headers)
        var plan = PullPlan(
            store: store,
            service: complete.service(
                at: first.list.service,
                preset: options.preset ?? first.list.preset
            ),
            resources: try chosen.map {
                try $0.list.resource($0.entity, of: complete, preset: options.preset)
            },
            options: options
        )
        if given.headers != nil { plan.newHeaders = complete.headers }
        if !complete.missing.isEmpty {
            plan.credentialHint =
                "The store does not contain the credentials of its address: give the address again, "
                + "with \(complete.missing.joined(separator: " and ")), or use --header."
        }
        return plan
    }
}

extension URL {
    /// The URL in a form for comparison, without slashes at the end of the path.
    fileprivate var comparable: String {
        let parts = absoluteString.split(separator: "?", maxSplits: 1).map(String.init)
        var text = parts.first ?? ""
        while text.hasSuffix("/") { text.removeLast() }
        return parts.count > 1 ? "\(text)?\(parts[1])" : text
    }
}
