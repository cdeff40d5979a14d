package import TidemarkJSON
package import TidemarkModel

/// An inference of a model from sample JSON: its entities, types, keys and relationships.
///
/// Each sample is read once. Only statistics and hashes of its values are kept, never the values,
/// so a sample may be larger than the available memory. The result does not depend on the order of
/// the samples. The inferred model accepts the samples: importing them reports no diagnostics,
/// except where a note says so.
///
/// Names alone can mislead, so the data decides where possible: two paths contain the same entity
/// if their objects with equal keys agree, and two lists are inverses if each refers to the other's
/// objects. `docs/decisions/0009-model-inference-from-samples.md` has the rules.
package struct ModelInference: Sendable {
    private let limits: InferenceLimits
    private let naming: NamingConvention
    private var visit: Shape.Visit

    /// The samples by entity name.
    private var samples: [String: SampledEntity] = [:]

    /// Creates an inference without samples.
    ///
    /// - Parameters:
    ///   - limits: The bounds on what is kept of the samples.
    ///   - naming: The convention that maps JSON names to names of the model.
    package init(limits: InferenceLimits = InferenceLimits(), naming: NamingConvention = .default) {
        self.limits = limits
        self.naming = naming
        visit = Shape.Visit(limits)
    }

    /// Adds a document and locates the objects in it.
    ///
    /// The objects are the elements of the document if it is an array. Otherwise they are the
    /// elements of the array under `results`, `data`, `items` or a similar name; otherwise those of
    /// the document's only arrays of objects, each of which names its entity; otherwise the
    /// document is a single object.
    ///
    /// - Parameters:
    ///   - document: The sample.
    ///   - source: The file name or the URL of the sample. Unless `entity` is given or the array
    ///     names it, the entity is named after the singular form of the source's name.
    ///   - entity: The name of the entity.
    /// - Returns: The key paths of the objects, and their entities.
    /// - Throws: `ModelError` if a list contains no objects but other values, or a limit on the
    ///   number of lists (``InferenceLimits/entities``) or paths (``InferenceLimits/paths``) is
    ///   exceeded.
    @discardableResult
    package mutating func add(
        _ document: JSONDocument,
        from source: String,
        entity: String? = nil
    ) throws -> [SampledList] {
        let lists = document.withRoot { SampleLists.find(in: $0) }
        guard lists.count <= limits.entities else { throw tooManyLists }
        var found: [SampledList] = []
        for list in lists {
            var items: JSONDocumentItems
            do {
                items = try document.items(at: list.path)
            } catch {
                throw ModelError(.invalid, "Nothing can be inferred: \(error).")
            }
            let name =
                entity ?? list.name.map { SampleName.entity(for: $0, by: naming) }
                ?? SampleName.entity(of: source, by: naming)
            found.append(
                try add(
                    &items,
                    to: name,
                    from: source,
                    at: list.path.isEmpty ? nil : list.path.description
                )
            )
        }
        return found
    }

    /// Adds objects that are read incrementally, such as those of a large file.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - source: The file name or the URL of the sample.
    ///   - entity: The name of the entity. Defaults to the singular form of the source's name.
    ///   - keyPath: The key path of the objects in the document; nil if the document itself
    ///     contains them. It is only copied to the result.
    /// - Returns: The key path of the objects, and their entity.
    /// - Throws: `ModelError` if there are values but no objects, or a limit on the number of
    ///   lists (``InferenceLimits/entities``) or paths (``InferenceLimits/paths``) is exceeded;
    ///   errors from reading the items.
    @discardableResult
    package mutating func add(
        _ items: inout some JSONItems,
        from source: String,
        entity: String? = nil,
        root keyPath: String? = nil
    ) throws -> SampledList {
        let name = entity ?? SampleName.entity(of: source, by: naming)
        return try add(&items, to: name, from: source, at: keyPath)
    }

    private mutating func add(
        _ items: inout some JSONItems,
        to entity: String,
        from source: String,
        at keyPath: String?
    ) throws -> SampledList {
        guard samples[entity] != nil || samples.count < limits.entities else {
            throw tooManyLists
        }
        var sample = samples[entity] ?? SampledEntity(named: entity)
        let before = sample.shape.count
        visit.beginList()
        var others = 0
        var visit = visit
        defer { self.visit = visit }
        while try items.next({ node in
            if node.kind == .object {
                _ = try sample.shape.add(node, list: visit.list, during: &visit)
            } else {
                others += 1
            }
        }) {}
        let count = sample.shape.count - before
        if count == 0, others > 0 {
            throw ModelError(.invalid, "The list holds no objects, so nothing can be inferred.")
        }
        if source.contains("://") {
            if let path = ResourceCollection.path(ofList: source) {
                sample.collections.insert(path)
            }
        }
        sample.others += others
        samples[entity] = sample
        return SampledList(entity: entity, keyPath: keyPath, count: count)
    }

    /// Returns the name of the entity for a list, such as `Person` for `people`.
    package static func entityName(
        of word: String,
        naming: NamingConvention = .default
    ) -> String {
        SampleName.entity(for: word, by: naming)
    }

    private var tooManyLists: ModelError {
        ModelError(
            .invalid,
            "The samples have more than \(limits.entities) lists.",
            hint: "Name those that are wanted."
        )
    }

    /// Returns the model of all samples added so far.
    ///
    /// - Throws: `ModelError` if there are no objects, or the objects of a sampled list have more
    ///   different names than ``InferenceLimits/names``.
    package func result() throws -> InferredModel {
        let seen = samples.values.filter { $0.shape.count > 0 }.sorted { $0.name < $1.name }
        guard !seen.isEmpty else {
            throw ModelError(
                .invalid,
                "The lists are empty, so nothing can be inferred.",
                hint: "Give samples that have objects."
            )
        }
        if let overfull = seen.first(where: \.shape.isOverfull) {
            throw ModelError(
                .invalid,
                "The objects of \(overfull.name) have more than \(limits.names) different "
                    + "names: they are data, not properties.",
                hint: "Name a list inside, or keep the document as it is."
            )
        }
        var draft = ModelDraft(seen, limits: limits, naming: naming)
        draft.unfold()
        draft.chooseKeysWithinParents()
        draft.explainKeys()
        draft.readProperties()
        draft.pairRelationships()
        draft.confirmKeysWithinParents()
        return draft.finish()
    }
}

/// The samples of one entity.
struct SampledEntity: Sendable {
    let name: String
    var shape: ObjectShape

    /// The paths of the lists from which the samples come.
    var collections: Set<String> = []

    /// The number of items that are not objects.
    var others = 0

    init(named name: String) {
        self.name = name
        shape = ObjectShape(named: name)
    }
}
