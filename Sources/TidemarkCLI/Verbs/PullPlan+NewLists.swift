import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

extension PullPlan {
    /// Adds entities to an inferred model for lists that were empty, or not configured, when it was
    /// inferred.
    ///
    /// Lists for which that is impossible are skipped.
    ///
    /// - Parameters:
    ///   - options: The options of the plan. A store that may not be created is not changed either.
    ///   - transport: Sends the requests for the first pages.
    /// - Throws: `StoreError`, `DatabaseError`, `CancellationError`.
    mutating func addNewLists(_ options: Options, over transport: some Transport) async throws {
        let unknown = resources.filter { store.model[$0.entity] == nil }
        guard !unknown.isEmpty else { return }
        resources.removeAll { store.model[$0.entity] == nil }
        let former = try SyncStatus.of(store).resources
        for resource in unknown {
            do {
                let pulledAs = former.first { $0.path == resource.path }?.entity
                try await add(resource, pulledAs: pulledAs, options: options, over: transport)
            } catch let list as SkippedList {
                omitted.append(list)
            } catch let error as RemoteError {
                omitted.append(
                    SkippedList(
                        resource,
                        status: ExitStatus(error),
                        message:
                            "the stored model has no entity of this name, and the list cannot be read: "
                            + "\(error)"
                    )
                )
            }
        }
    }

    /// Adds one list, if it has objects.
    ///
    /// - Throws: ``SkippedList``, `RemoteError`, and the errors of ``addNewLists(_:over:)``.
    private mutating func add(
        _ resource: RemoteResource,
        pulledAs former: String?,
        options: Options,
        over transport: some Transport
    ) async throws {
        guard !resource.hasParent else {
            throw SkippedList(
                resource,
                status: .data,
                message: "\(resource.path) names a parent, and the stored model has no entity "
                    + "\(resource.entity). Write a model, and name it as model: in the configuration."
            )
        }
        let remote = Remote(service, over: transport, environment: .live, limits: limits)
        var items = try await remote.page(PageRequest(first: resource)).items()
        guard try items.next({ _ in }) else {
            throw SkippedList(
                resource,
                status: nil,
                message:
                    "\(resource.path) has no objects, so it is left out. The first pull that finds some "
                    + "adds the entity to the model."
            )
        }
        if let former {
            throw SkippedList(
                resource,
                status: .data,
                message:
                    "\(resource.path) was pulled as \(former) before, and the stored model has no entity "
                    + "\(resource.entity). Use the name \(former), or pull into a new store."
            )
        }
        guard options.mayCreate else {
            throw SkippedList(
                resource,
                status: .data,
                message:
                    "the objects of \(resource.path) are not in the store yet, and the model has no "
                    + "entity for them. The next pull adds it."
            )
        }
        let (model, guesses) = try await model(with: resource, options: options, over: transport)
        store = try store.migrate(to: model, environment: .live)
        resources.append(resource)
        remarks.append(
            "\(resource.entity) was added to the model, inferred from \(resource.path), without "
                + "relationships to the entities that were there."
        )
        remarks += guesses
    }

    /// Returns the stored model with entities for the objects of a list added, and remarks about
    /// uncertain inferences.
    private func model(
        with resource: RemoteResource,
        options: Options,
        over transport: some Transport
    ) async throws -> (Model, guesses: [String]) {
        var model = store.model
        do {
            let discovery = try await ResourceDiscovery.run(
                for: [resource],
                of: service,
                over: transport,
                limits: limits,
                onRequest: options.onRequest
            )
            let inferred = try discovery.model()
            if let known = inferred.entities.first(where: { model[$0.name] != nil }) {
                throw Failure(.data, "its objects contain \(known.name), which the model has.")
            }
            model.entities += inferred.entities
            try model.validate()
            return (model, discovery.remarks)
        } catch let error where !(error is RemoteError) {
            guard let failure = Failure(error), failure.status != .interrupted else { throw error }
            throw SkippedList(
                resource,
                status: failure.status,
                message: "no entity for \(resource.path) can be added to the stored model: "
                    + "\(failure.message) Write a model (`tidemark model infer` prints one), and name "
                    + "it as model: in the configuration."
            )
        }
    }
}
