import Foundation
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// What is to be pulled, from where, and into which store.
struct PullPlan {
    var store: Store
    var service: Service
    var resources: [Resource]
    var account: String?
    var limits = Limits()

    /// What somebody should know before it begins.
    var remarks: [String] = []

    /// The plan that a `tidemark.yml` describes.
    init(_ file: ConfigurationFile, store named: String?, isDryRun: Bool) throws {
        let configuration = file.configuration
        let path = named ?? StoreOptions.inEnvironment ?? configuration.store.map(file.resolve)
        guard let path else {
            throw Failure(.usage, "\(file.path) names no store. Add store: PATH, or say --store.")
        }
        let model = try configuration.model.map { try ModelFile.load(file.resolve($0)) }
        // A store is migrated last of all: a configuration that is refused changes none.
        let secrets = Secrets(of: file)
        let service = try configuration.remoteService(secrets)
        let account = try configuration.account(secrets)
        let limits = try configuration.limits()
        let lists = try model.map { try configuration.remoteResources(of: service, $0) }
        store = try Self.open(
            path,
            model,
            ServiceBinding(service, account: account),
            isDryRun: isDryRun
        )
        if isDryRun { try store.forgetRuns() }
        let remembered = store.model
        resources = try lists ?? configuration.remoteResources(of: service, remembered)
        self.service = service
        self.account = account
        self.limits = limits
    }

    /// Opens or makes a store, and leaves one that belongs to another as it is.
    ///
    /// One that belongs to nobody loses nothing either: its rows may be of another origin, and only
    /// the name of the file says that they are meant.
    private static func open(
        _ path: String,
        _ model: Model?,
        _ binding: ServiceBinding,
        isDryRun: Bool
    ) throws -> Store {
        var isOwn = false
        func check(_ store: Store) throws { isOwn = try binding.check(store) }
        func willMigrate(_ migration: Migration) throws {
            guard migration.losesData, !isOwn else { return }
            throw Failure(
                .notAllowed,
                "Nothing was pulled into \(path) yet, and the model has no place for all that "
                    + "it holds: \(MigrationPrinter.losses(migration)). Say tidemark migrate "
                    + "first, or pull into another store."
            )
        }
        guard !isDryRun else {
            return try CreatableStoreOptions.copy(
                path,
                model,
                check: check,
                willMigrate: willMigrate
            )
        }
        do {
            try check(Store.openReadOnly(at: path))
        } catch let error as StoreError where error.code == .notFound {
            // What is not there, or empty, belongs to nobody.
        }
        return try CreatableStoreOptions.open(path, model, willMigrate: willMigrate)
    }

    /// The plan to pull what stands at an address.
    ///
    /// The store remembers how its lists are read, so that it is looked at only once; a store that
    /// is not there yet is made, with a model that is inferred.
    init(
        _ given: GivenAddress,
        store path: String,
        preset: String?,
        isDryRun: Bool,
        over transport: some Transport,
        telling: @escaping (String) -> Void
    ) async throws {
        account = given.account
        guard FileManager.default.fileExists(atPath: path) else {
            var survey = try await Survey(
                of: given,
                preset: preset,
                over: transport,
                limits: limits,
                telling: telling
            )
            let model = try survey.model()
            store =
                isDryRun
                ? try Store.inMemory(model: model) : try CreatableStoreOptions.open(path, model)
            service = survey.service
            resources = try survey.resources()
            remarks = survey.remarks
            return
        }
        store =
            isDryRun ? try Store.openReadOnly(at: path).temporaryCopy() : try Store.open(at: path)
        if isDryRun { try store.forgetRuns() }
        // A store that belongs to another is left alone before anybody is asked.
        try ServiceBinding(Service(url: given.url), account: account).check(store)
        if let known = try Self.known(given, in: store.model, preset) {
            service = known.service
            resources = known.resources
            return
        }
        let survey = try await Survey(
            of: given,
            preset: preset,
            over: transport,
            limits: limits,
            telling: telling
        )
        service = survey.service
        resources = try survey.resources()
        remarks = survey.remarks
    }

    /// The engine that carries it out.
    func engine(
        over transport: some Transport,
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws -> SyncEngine {
        try SyncEngine(
            store: store,
            service: service,
            resources: resources,
            transport: transport,
            account: account,
            limits: limits,
            onEvent: onEvent
        )
    }

    /// The entities that are named with commas between them; nil for all.
    func entities(_ only: String?) throws -> Set<String>? {
        guard let only else { return nil }
        let names = Set(only.split(separator: ",").map(String.init))
        let known = Set(resources.map(\.entity))
        if let unknown = names.subtracting(known).min() {
            throw Failure(
                .usage,
                "No resource is for \(unknown). There are \(known.sorted().joined(separator: ", "))."
            )
        }
        return names
    }

    /// The lists at an address, as a store remembers them; nil where it remembers none.
    private static func known(
        _ given: GivenAddress,
        in model: Model,
        _ preset: String?
    ) throws -> (service: Service, resources: [Resource])? {
        let all = model.entities.compactMap { entity in
            ListMemory(entity).map { (entity: entity.name, list: $0) }
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
        return (
            given.service(at: first.list.service, preset: preset ?? first.list.preset),
            try chosen.map { try $0.list.resource($0.entity, of: given, preset: preset) }
        )
    }
}

extension URL {
    /// The address as two of them are compared: a slash at the end of the path says nothing.
    fileprivate var comparable: String {
        let parts = absoluteString.split(separator: "?", maxSplits: 1).map(String.init)
        var text = parts.first ?? ""
        while text.hasSuffix("/") { text.removeLast() }
        return parts.count > 1 ? "\(text)?\(parts[1])" : text
    }
}
