import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// The plan of a pull: the service, its resources, and the store.
struct PullPlan {
    var store: Store
    var service: Service
    var resources: [RemoteResource]
    var account: String?
    var limits = Limits()

    /// Who decides where local changes and those of the service contradict each other.
    var conflicts = ConflictPolicies()

    /// The arguments that suggested commands need to find the store and the service.
    var arguments = StoreArguments()

    /// The paths of the store and of all files that were read.
    var files: [String] = []

    /// Messages for the user before the pull begins.
    var remarks: [String] = []

    /// The configured lists that are not pulled.
    var omitted: [SkippedList] = []

    /// The header fields to store after a successful pull; nil if the store already contains them.
    var newHeaders: HeaderFields?

    /// A hint for the case that the service rejects the credentials; nil if the error needs none.
    var credentialHint: String?

    /// The options of a plan.
    struct Options {
        /// The path of the store; nil for that of the configuration.
        var store: String?

        /// The preset for a URL; nil to recognize the service from its first response.
        var preset: String?

        /// Whether the pull is a dry run, which changes nothing.
        var isDryRun = false

        /// Whether a store that does not exist may be created.
        var mayCreate = true

        /// The account and the limits that a configuration sets.
        var account: String?
        var limits = Limits()

        /// The change log for the changes of a migration.
        var changes: ChangeLog?

        /// Called with each URL before it is requested.
        var onRequest: (String) -> Void = { _ in }
    }

    /// Creates a plan without remarks.
    init(store: Store, service: Service, resources: [RemoteResource], options: Options) {
        self.store = store
        self.service = service
        self.resources = resources
        account = options.account
        limits = options.limits
    }

    /// Prepares the pull from a configuration or a URL.
    ///
    /// - Parameters:
    ///   - source: The configuration or the URL.
    ///   - options: The options of the command.
    ///   - transport: Sends the requests from which a model is inferred.
    /// - Returns: The plan. Its store is open and has the model for the resources.
    /// - Throws: ``Failure``, `StoreError`, `ModelError`, `RemoteError`, `DatabaseError`.
    static func prepare(
        from source: ServiceSource,
        options: Options,
        over transport: some Transport
    ) async throws -> PullPlan {
        var options = options
        switch source {
        case .address(let given):
            options.account = given.account
            var plan = try await prepare(for: given, options: options, over: transport)
            plan.files = [plan.store.writer.path]
            plan.arguments.store = options.store
            return plan
        case .configuration(let file):
            let configuration = file.configuration
            let given = options.store
            let named = given ?? StoreOptions.inEnvironment
            guard let path = named ?? configuration.store.map(file.resolve) else {
                throw Failure(
                    .usage,
                    "\(file.path) names no store. Add store: PATH, or use --store."
                )
            }
            options.store = path
            var plan = try await prepare(
                for: file,
                storeAt: path,
                options: options,
                over: transport
            )
            let isUsual = file.path == ConfigurationFile.usualName
            plan.arguments = StoreArguments(
                configuration: isUsual ? nil : file.path,
                store: isUsual ? given : path
            )
            plan.conflicts =
                try configuration.conflicts?.policies(for: plan.store.model) ?? ConflictPolicies()
            plan.files = [plan.store.writer.path, file.path]
            if let model = configuration.model { plan.files.append(file.resolve(model)) }
            return plan
        }
    }

    private static func prepare(
        for file: ConfigurationFile,
        storeAt path: String,
        options: Options,
        over transport: some Transport
    ) async throws -> PullPlan {
        let configuration = file.configuration
        let secrets = Secrets(of: TrustSubject(file))
        var service = try configuration.remoteService(secrets)
        var options = options
        options.account = try configuration.account(secrets)
        options.limits = configuration.limits
        var model: Model?
        var remarks: [String] = []
        switch try ModelSource.find(for: configuration, storeAt: path) {
        case .address:
            options.preset = configuration.service?.preset
            let address = PullAddress(
                service,
                account: options.account,
                lists: configuration.service?.lists
            )
            return try await prepare(for: address, options: options, over: transport)
        case .file(let name):
            model = try ModelFile.load(file.resolve(name))
        case .pages where options.mayCreate:
            let discovery = try await ResourceDiscovery.run(
                for: configuration.listedResources(of: &service),
                of: service,
                over: transport,
                limits: options.limits,
                onRequest: options.onRequest
            )
            let inferred = try discovery.model()
            let announcement = inferred.announcement(
                of: path,
                from: "the lists",
                isDryRun: options.isDryRun
            )
            remarks = [announcement] + discovery.remarks
            model = inferred
        case .pages, .store:
            break
        }
        var plan = try await prepare(
            for: file,
            service: service,
            model: model,
            storeAt: path,
            options: options,
            over: transport
        )
        plan.remarks.insert(contentsOf: remarks, at: 0)
        return plan
    }

    private static func prepare(
        for file: ConfigurationFile,
        service: Service,
        model: Model?,
        storeAt path: String,
        options: Options,
        over transport: some Transport
    ) async throws -> PullPlan {
        let configuration = file.configuration
        var service = service
        // The store is migrated only after all checks: a configuration that is rejected must not
        // change it.
        let lists = try model.map { model in
            let all = try configuration.remoteResources(of: &service, model: model)
            // An inferred model has no entity for an empty list, which the discovery reports.
            return configuration.model == nil ? all.filter { model[$0.entity] != nil } : all
        }
        if let lists, let model { try check(lists, against: model) }
        if let model { _ = try configuration.conflicts?.policies(for: model) }
        let sources = [file.path] + [configuration.model].compactMap { $0.map(file.resolve) }
        let store = try open(
            path,
            model: model,
            binding: ServiceBinding(service, account: options.account),
            options: options,
            sparing: [path] + sources
        )
        if options.isDryRun { try store.forgetRuns() }
        let resources =
            try lists
            ?? configuration.remoteResources(of: &service, model: store.model)
        var plan = PullPlan(
            store: store,
            service: service,
            resources: resources,
            options: options
        )
        // If the configuration specifies a model, an entity that is missing from it is an error.
        if configuration.model == nil { try await plan.addNewLists(options, over: transport) }
        if plan.resources.isEmpty, let first = plan.omitted.first {
            throw Failure(first.status ?? .data, first.message)
        }
        try check(plan.resources, against: plan.store.model)
        return plan
    }

    /// The source of the model for a configuration.
    private enum ModelSource {
        /// The file that the configuration specifies.
        case file(String)
        /// The existing store.
        case store
        /// The lists at the URL of the service. The configuration has neither a model nor
        /// resources.
        case address
        /// The first pages of the configured resources.
        case pages

        static func find(
            for configuration: Configuration,
            storeAt path: String
        ) throws -> ModelSource {
            if let name = configuration.model { return .file(name) }
            let hasResources = configuration.resources?.isEmpty == false
            guard FileManager.default.fileExists(atPath: path) else {
                return hasResources ? .pages : .address
            }
            let remembers = try Store.openReadOnly(at: path).model.entities
                .contains { try RememberedList($0) != nil }
            return remembers && !hasResources ? .address : .store
        }
    }

    /// Checks that there is something to pull, and that each entity has a primary key.
    private static func check(_ resources: [RemoteResource], against model: Model) throws {
        for resource in resources {
            guard let entity = model[resource.entity] else { continue }
            guard !model.primaryKey(of: entity).isEmpty else {
                throw Failure(
                    .data,
                    "\(entity.name): the model has no primary key for this entity, so its list cannot "
                        + "be pulled. Set primaryKey to the attribute that identifies its objects."
                )
            }
        }
        try checkParents(of: resources, in: model)
        guard resources.isEmpty else { return }
        let names = model.entities.map(\.name).sorted()
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        throw Failure(
            .data,
            "There is nothing to pull: no entity of the model has a primary key (\(shown)). Set "
                + "primaryKey to the attribute that identifies an entity's objects."
        )
    }

    /// Checks that the parent entities in resource paths are pulled too, and can be ordered.
    private static func checkParents(of resources: [RemoteResource], in model: Model) throws {
        for resource in resources {
            do {
                _ = try ParentPath(of: resource, in: model)
            } catch let error as SyncError {
                throw Failure(.data, "resources.\(resource.entity).path: \(error)")
            }
        }
        do {
            _ = try ResourceOrder(resources, in: model)
        } catch let error as SyncError {
            throw Failure(.data, "resources: \(error)")
        }
    }

    /// Opens or creates a store.
    ///
    /// A store that belongs to a different service is not changed.
    ///
    /// A store into which nothing was pulled yet is not migrated if that loses data: its rows may
    /// have been created by other means, and the path may be a mistake.
    private static func open(
        _ path: String,
        model: Model?,
        binding: ServiceBinding,
        options: Options,
        sparing files: [String]
    ) throws -> Store {
        var isOwn = false
        func check(_ store: Store) throws { isOwn = try binding.check(store) }
        func willMigrate(_ migration: Migration) throws {
            guard migration.losesData, !isOwn else { return }
            throw Failure(
                .notAllowed,
                "Nothing was pulled into \(path) yet, and a migration to the model would drop "
                    + "data: \(MigrationPrinter.losses(migration)). Run tidemark migrate first, or "
                    + "pull into another store."
            )
        }
        guard !options.isDryRun else {
            return try CreatableStoreOptions.copy(
                path,
                model: model,
                check: check,
                willMigrate: willMigrate
            )
        }
        do {
            try check(Store.openReadOnly(at: path))
        } catch let error as StoreError where error.code == .notFound {
            // A store that does not exist or is empty belongs to no service.
        }
        return try CreatableStoreOptions.open(
            path,
            model: model,
            changes: options.changes,
            sparing: files,
            willMigrate: willMigrate
        )
    }

    /// Returns the engine that executes the plan.
    func engine(
        over transport: some Transport,
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) throws -> SyncEngine {
        var importer = Importer(store, limits: limits)
        importer.conflicts = conflicts
        return try SyncEngine(
            store: store,
            service: service,
            resources: resources,
            transport: transport,
            account: account,
            importer: importer,
            limits: limits,
            onEvent: onEvent
        )
    }
}
