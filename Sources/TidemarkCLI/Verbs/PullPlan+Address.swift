import Foundation
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

extension PullPlan {
    /// Creates the plan to pull from a URL.
    ///
    /// The store records how to read the lists, so that they are discovered only once. If the store
    /// does not exist, it is created with an inferred model.
    init(
        _ given: PullAddress,
        _ options: Options,
        over transport: some Transport
    ) async throws {
        guard let path = options.store ?? StoreOptions.inEnvironment else {
            throw Failure(.usage, "No store is named. Use --store PATH.")
        }
        var given = given
        account = options.account
        limits = options.limits
        guard !options.mayCreate || FileManager.default.fileExists(atPath: path) else {
            var survey = try await ServiceDiscovery(
                of: given,
                preset: options.preset,
                over: transport,
                limits: limits,
                telling: options.telling
            )
            let model = try survey.model()
            store =
                options.isDryRun
                ? try Store.inMemory(model: model) : try CreatableStoreOptions.open(path, model)
            service = survey.service
            resources = try survey.resources()
            remarks =
                [
                    model.announcement(
                        of: path,
                        from: given.url.shown,
                        isDryRun: options.isDryRun
                    )
                ] + survey.remarks
            return
        }
        store =
            options.isDryRun
            ? try Store.openReadOnly(at: path).temporaryCopy() : try Store.open(at: path)
        if options.isDryRun { try store.forgetRuns() }
        // A store that belongs to a different service is rejected before the first request.
        try ServiceBinding(given.service(at: given.url), account: account).check(store)
        let isHeaderGiven = given.headers != nil
        if let known = try Self.known(&given, in: store.model, options.preset) {
            newHeaders = isHeaderGiven ? given.headers : nil
            if !given.missing.isEmpty {
                credentialHint =
                    "The store does not hold the credentials of its address: give the address again, "
                    + "with \(given.missing.joined(separator: " and ")), or use --header."
            }
            service = known.service
            resources = known.resources
            return
        }
        let survey = try await ServiceDiscovery(
            of: given,
            preset: options.preset,
            over: transport,
            limits: limits,
            telling: options.telling
        )
        service = survey.service
        resources = try survey.resources()
        remarks = survey.remarks
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
        _ = try store.migrated(to: model, environment: .live)
    }

    /// Returns the service and the lists that a store records for a URL; nil if it records none.
    private static func known(
        _ given: inout PullAddress,
        in model: Model,
        _ preset: String?
    ) throws -> (service: Service, resources: [RemoteResource])? {
        let all = try model.entities.compactMap { entity in
            try RememberedList(entity).map { (entity: entity.name, list: $0) }
        }
        guard let first = all.first else { return nil }
        let place = given.url.comparable
        let ofService = all.filter { $0.list.service.comparable == place }
        let chosen =
            ofService.isEmpty ? all.filter { $0.list.address?.comparable == place } : ofService
        guard !chosen.isEmpty else {
            let paths = all.map(\.list.path).sorted().joined(separator: ", ")
            throw Failure(
                .notFound,
                "The store has no list of \(given.url.shown); it was made for \(paths) of "
                    + "\(first.list.service.shown). Pull into another store."
            )
        }
        given = try given.completed(with: first.list.headers)
        return (
            given.service(at: first.list.service, preset: preset ?? first.list.preset),
            try chosen.map { [given] in
                try $0.list.resource($0.entity, of: given, preset: preset)
            }
        )
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
