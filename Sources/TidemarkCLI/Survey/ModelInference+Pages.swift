import Foundation
import TidemarkModel
import TidemarkRemote

extension ModelInference {
    /// How much of each list a model is inferred from.
    private static let pages = 10
    private static let objects = 1_000

    /// Adds the first pages of a list.
    ///
    /// - Parameters:
    ///   - resource: The list.
    ///   - remote: The service.
    ///   - source: The address that the objects are named after.
    ///   - entity: What the objects are called; nil for the name that the address suggests.
    /// - Returns: What they were taken for, and how many there were.
    /// - Throws: `RemoteError`, `ModelError`.
    mutating func add(
        pagesOf resource: Resource,
        from remote: Remote,
        source: URL,
        entity: String? = nil
    ) async throws -> (entity: String, count: Int) {
        var request: PageRequest? = PageRequest(first: resource)
        var result = (entity: entity ?? "", count: 0)
        while let asked = request, asked.number <= Self.pages, result.count < Self.objects {
            let page = try await remote.page(asked)
            var items = try page.items()
            let list = try add(&items, from: source.absoluteString, entity: entity)
            result.count += list.count
            result.entity = list.entity
            request = page.next
        }
        return result
    }
}

extension InferredModel {
    /// A list that the model was inferred from.
    struct Source {
        let entity: String

        /// What the list is called in messages.
        let path: String

        /// The member that an object's envelope adds, which is no property.
        let kind: String?

        /// What the model remembers of the list.
        var annotations: [String: String] = [:]
    }

    /// The model, each of whose lists has an entity with a primary key.
    ///
    /// - Throws: ``Failure`` where a list has none; `ModelError`.
    func model(of sources: [Source]) throws -> Model {
        var model = model
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
            if let kind = source.kind {
                model.entities[index].attributes.removeAll { $0.remoteKey == kind }
            }
            model.entities[index].userInfo.merge(source.annotations) { _, new in new }
        }
        try model.validate()
        return model
    }
}
