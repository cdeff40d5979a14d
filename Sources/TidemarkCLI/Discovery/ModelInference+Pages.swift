import Foundation
import TidemarkModel
import TidemarkRemote

extension ModelInference {
    /// How much of each list a model is inferred from.
    private static let pages = 10
    private static let objects = 1_000

    /// What the first pages of a list contain.
    struct FirstPages {
        /// What the objects of the list were taken for.
        var entity = ""

        /// How many there were.
        var count = 0

        /// The type that they name; nil where they name none.
        var type: String?

        /// The entities of objects of other types, by type.
        var others: [String: String] = [:]
    }

    /// Adds the first pages of a list.
    ///
    /// - Parameters:
    ///   - resource: The list.
    ///   - remote: The service.
    ///   - source: The address that the objects are named after, unless they name their type.
    ///   - types: The entities of types that are known; others are named after the type.
    /// - Returns: What was found.
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
        while let asked = request, asked.number <= Self.pages, result.count < Self.objects {
            let page = try await remote.page(asked)
            request = page.next
            guard resource.style.objects == .plain else {
                for sample in try page.samples(entityOf) {
                    try add(sample, from: source, known, entityOf, &result)
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
        _ known: String?,
        _ entityOf: (String) -> String,
        _ result: inout FirstPages
    ) throws {
        if !sample.isIncluded, result.type == nil { result.type = sample.type }
        var items = try sample.document.items(at: nil)
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
    /// A list that the model was inferred from.
    struct Source {
        let entity: String

        /// What the list is called in messages.
        let path: String

        /// What the model remembers of the list.
        var annotations: [String: String] = [:]
    }

    /// The model, each of whose lists has an entity with a primary key.
    ///
    /// - Parameters:
    ///   - sources: The lists.
    ///   - types: The entities of objects that name their type, by type: the model remembers it.
    /// - Returns: The model.
    /// - Throws: ``Failure`` where a list has none; `ModelError`.
    func model(of sources: [Source], types: [String: String] = [:]) throws -> Model {
        var model = model
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
        }
        try model.validate()
        return model
    }
}
