import Foundation
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkRemote

extension ModelInference {
    /// The number of pages, and of objects, of each list from which a model is inferred.
    private static let pages = 10
    private static let objects = 1_000

    /// The result of reading the first pages of a list.
    struct FirstPages {
        /// The entity that was inferred from the objects of the list.
        var entity = ""

        /// The number of objects.
        var count = 0

        /// The type of the first object; nil if objects do not contain their type.
        var type: String?

        /// The entities of objects of other types, by type.
        var others: [String: String] = [:]

        /// The keys in the linkage of relationships, by type.
        var linkedKeys: [String: Set<String>] = [:]
    }

    /// Adds the keys of types that occur in the linkage of relationships alone.
    ///
    /// Such a type becomes an entity that has nothing but its key, so that the relationship is not
    /// reduced to a value without a type.
    ///
    /// - Parameters:
    ///   - linkedKeys: The keys by type.
    ///   - known: The types whose objects were read.
    ///   - entityOf: Returns the entity for a type.
    /// - Returns: The added entities, by type.
    /// - Throws: `ModelError` if the samples exceed a limit.
    mutating func add(
        linkedKeys: [String: Set<String>],
        except known: Set<String>,
        entityOf: (String) -> String = { ModelInference.entityName(of: $0) }
    ) throws -> [String: String] {
        var added: [String: String] = [:]
        for (type, keys) in linkedKeys where !known.contains(type) {
            let objects = keys.sorted().map { "{\"id\":\($0)}" }.joined(separator: ",")
            var items = try JSONDocument(Array("[\(objects)]".utf8)).items()
            added[type] = try add(&items, from: "", entity: entityOf(type)).entity
        }
        return added
    }

    /// Adds the first pages of a list as samples.
    ///
    /// - Parameters:
    ///   - resource: The list.
    ///   - remote: The service.
    ///   - source: The URL from which the entity gets its name, unless objects contain their type.
    ///   - types: The known entities by type. Other entities are named after the type.
    /// - Returns: The entity and the number of objects.
    /// - Throws: `RemoteError`, `ModelError`.
    mutating func add(
        pagesOf resource: RemoteResource,
        from remote: Remote,
        source: URL,
        types: [String: String] = [:]
    ) async throws -> FirstPages {
        let entityOf = { (type: String) in types[type] ?? Self.entityName(of: type) }
        let known = resource.entity.isEmpty ? nil : resource.entity
        var request: PageRequest? = PageRequest(first: resource)
        var result = FirstPages()
        while let current = request, current.number <= Self.pages, result.count < Self.objects {
            let page = try await remote.page(current)
            request = page.next
            guard resource.style.objects == .plain else {
                result.linkedKeys.merge(try page.linkedKeys()) { $0.union($1) }
                for sample in try page.samples(entityOf) {
                    try add(
                        sample,
                        from: source,
                        entity: known,
                        entityOfType: entityOf,
                        to: &result
                    )
                }
                continue
            }
            var items = try page.items()
            let list = try add(&items, from: source.absoluteString, entity: known)
            result.count += list.count
            result.entity = list.entity
        }
        return result
    }

    private mutating func add(
        _ sample: Page.Sample,
        from source: URL,
        entity known: String?,
        entityOfType entityOf: (String) -> String,
        to result: inout FirstPages
    ) throws {
        if !sample.isIncluded, result.type == nil { result.type = sample.type }
        var items = try sample.document.items()
        let isListed = sample.type == result.type
        let list = try add(
            &items,
            from: isListed ? source.absoluteString : "",
            entity: isListed ? known ?? entityOf(sample.type) : entityOf(sample.type)
        )
        if isListed {
            result.entity = list.entity
            if !sample.isIncluded { result.count += list.count }
        } else {
            result.others[sample.type] = list.entity
        }
    }
}

extension InferredModel {
    /// A list from which the model was inferred.
    struct Source {
        let entity: String

        /// The name of the list in messages.
        let path: String

        /// The annotations that record in the model how to read the list.
        var annotations: [String: String] = [:]
    }

    /// Returns the model after checking that the entity of each list has a primary key.
    ///
    /// - Parameters:
    ///   - sources: The lists.
    ///   - types: The entities by the type that objects contain. The model records the types.
    ///   - linked: The entities of which only keys are known. Those that no relationship leads to
    ///     are left out.
    /// - Returns: The model with the annotations of all lists.
    /// - Throws: ``Failure`` if two lists have the same objects or an entity has no primary key;
    ///   `ModelError`.
    func model(
        of sources: [Source],
        types: [String: String] = [:],
        linked: Set<String> = []
    ) throws -> Model {
        var model = model
        let destinations = Set(model.entities.flatMap { $0.relationships.map(\.destination) })
        model.entities.removeAll { linked.contains($0.name) && !destinations.contains($0.name) }
        for (type, entity) in types {
            guard let index = model.entities.firstIndex(where: { $0.name == entity }) else {
                continue
            }
            model.entities[index].userInfo["tidemark.type"] = type
        }
        for source in sources {
            guard let index = model.entities.firstIndex(where: { $0.name == source.entity }) else {
                throw Failure(
                    .data,
                    "The objects of \(source.path) are those of another list. Pull one list alone, "
                        + "or write a tidemark.yml."
                )
            }
            guard !model.primaryKey(of: model.entities[index]).isEmpty else {
                throw Failure(
                    .data,
                    "The objects of \(source.path) have no member that is certainly their primary "
                        + "key. Write a model with a primaryKey and a tidemark.yml."
                )
            }
            model.entities[index].userInfo.merge(source.annotations) { _, new in new }
            model.entities[index].isKeyGuessed = guessedKeys.contains(source.entity)
        }
        try model.validate()
        return model
    }
}
