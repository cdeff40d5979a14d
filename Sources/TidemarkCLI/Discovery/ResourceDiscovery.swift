import TidemarkInference
import TidemarkModel
import TidemarkRemote
import TidemarkSync

/// Infers a model from the first pages of the lists of a configuration that has no model.
struct ResourceDiscovery {
    /// The messages for the user.
    let remarks: [String]

    private let inferred: InferredModel
    private let sources: [InferredModel.Source]
    private let others: [String: String]

    /// The entities of which only keys are known.
    private let linked: Set<String>

    /// Reads the first pages of each resource, and infers a model.
    ///
    /// - Throws: `RemoteError`; ``Failure`` if all lists are empty.
    static func run(
        for resources: [RemoteResource],
        of service: Service,
        over transport: some Transport,
        limits: Limits,
        onRequest: (String) -> Void
    ) async throws -> ResourceDiscovery {
        let remote = Remote(service, over: transport, environment: .live, limits: limits)
        var inference = ModelInference()
        var remarks: [String] = []
        var sources: [InferredModel.Source] = []
        var others: [String: String] = [:]
        var linkedKeys: [String: Set<String>] = [:]
        let types = Dictionary(resources.map { ($0.type, $0.entity) }) { first, _ in first }
        for resource in resources {
            guard !resource.hasParent else {
                throw Failure(
                    .data,
                    "resources.\(resource.entity).path: \(resource.path) names a parent, and without a "
                        + "model nothing says which entity that is. Write a model, and name it as "
                        + "model:."
                )
            }
            onRequest(resource.path)
            let list = try await inference.add(
                pagesOf: resource,
                from: remote,
                source: service.url,
                types: types
            )
            others.merge(list.others) { first, _ in first }
            linkedKeys.merge(list.linkedKeys) { $0.union($1) }
            guard list.count > 0 else {
                remarks.append(
                    "\(resource.entity) is left out: \(resource.path) has no objects, so nothing can be "
                        + "inferred. The first pull that finds some adds it."
                )
                continue
            }
            sources.append(
                InferredModel.Source(
                    entity: resource.entity,
                    path: resource.path
                )
            )
        }
        guard !sources.isEmpty else {
            throw Failure(
                .data,
                "The lists of the configuration have no objects, so no model can be inferred. Write "
                    + "a model, and name it as model:."
            )
        }
        let linked = try inference.add(
            linkedKeys: linkedKeys,
            except: Set(types.keys).union(others.keys)
        )
        others.merge(linked) { first, _ in first }
        let inferred = try inference.result()
        remarks += inferred.notes.filter(\.needsReview).map(\.description)
        return ResourceDiscovery(
            remarks: remarks,
            inferred: inferred,
            sources: sources,
            others: others,
            linked: Set(linked.values)
        )
    }

    /// Returns the inferred model.
    func model() throws -> Model { try inferred.model(of: sources, types: others, linked: linked) }
}
