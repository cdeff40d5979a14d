/// Infers a model from sample JSON: entities, types, keys and relationships.
///
/// Samples are read once and one after the other; what is kept of them are facts about each place,
/// and hashes, but never their values, so a sample may be longer than the memory. The result does
/// not depend on the order of the samples. It accepts the very samples: importing them gives no
/// diagnostics, except where a note says so.
///
/// ```swift
/// var inference = ModelInference()
/// try inference.add(JSONDocument(films), from: "https://swapi.dev/api/films/")
/// try inference.add(JSONDocument(people), from: "https://swapi.dev/api/people/")
/// let inferred = try inference.result()
/// let store = try Store.open(at: path, model: inferred.model)
/// ```
///
/// Names alone mislead, so that the data decides where it can: two places hold the same kind of
/// object when their objects of one key agree, and two lists are inverses when each names the
/// other's objects. `docs/decisions/0009-what-samples-prove.md` has the rules.
public struct ModelInference: Sendable {
    private let limits: Limits
    private let naming: NamingConvention
    private var visit: Shape.Visit

    /// What was seen of each entity that is sampled.
    private var samples: [String: SampledEntity] = [:]

    /// Creates an inference that has seen nothing.
    public init(limits: Limits = Limits(), naming: NamingConvention = .default) {
        self.limits = limits
        self.naming = naming
        visit = Shape.Visit(limits)
    }

    /// Adds a document, and finds out where its objects are.
    ///
    /// They are the elements of the document; else those of the list under `results`, `data`,
    /// `items` or the like; else those of its only lists of objects, which then name the entities;
    /// else the document is one object.
    ///
    /// - Parameters:
    ///   - document: The sample.
    ///   - source: The file or the address it comes from: its name in the singular is the entity's
    ///     where nobody says another.
    ///   - entity: The entity's name, if somebody says.
    /// - Returns: Where the objects are, and what they were taken for.
    /// - Throws: ``ModelError`` when there are no objects, or too many lists or different names.
    @discardableResult
    public mutating func add(
        _ document: JSONDocument,
        from source: String,
        entity: String? = nil
    ) throws -> [SampledList] {
        let lists = document.withRoot { SampleLists.find(in: $0) }
        guard lists.count <= limits.inferredEntities else { throw tooManyLists }
        var found: [SampledList] = []
        for list in lists {
            var items: JSONDocumentItems
            do {
                items = try document.items(at: list.keyPath)
            } catch {
                throw ModelError(.invalid, "Nothing can be inferred: \(error).")
            }
            let name =
                entity ?? list.name.map { SampleName.entity($0, naming) }
                ?? SampleName.entity(of: source, naming)
            found.append(try add(&items, at: list.keyPath, name, source))
        }
        return found
    }

    /// Adds objects that are read piece by piece.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - source: The file or the address they come from.
    ///   - entity: The entity's name, if somebody says.
    ///   - keyPath: Where they are in the document, if they are not the document.
    /// - Returns: What they were taken for.
    /// - Throws: ``ModelError`` when there are no objects among them, or too many lists or
    ///   different names; what reading throws.
    @discardableResult
    public mutating func add(
        _ items: inout some JSONItems,
        from source: String,
        entity: String? = nil,
        root keyPath: String? = nil
    ) throws -> SampledList {
        let name = entity ?? SampleName.entity(of: source, naming)
        return try add(&items, at: keyPath, name, source)
    }

    private mutating func add(
        _ items: inout some JSONItems,
        at keyPath: String?,
        _ entity: String,
        _ source: String
    ) throws -> SampledList {
        guard samples[entity] != nil || samples.count < limits.inferredEntities else {
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
                _ = try sample.shape.add(node, list: visit.list, &visit)
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

    /// The name of the entity whose objects are called by a word, such as `Person` for `people`.
    package static func entityName(
        of word: String,
        naming: NamingConvention = .default
    ) -> String {
        SampleName.entity(word, naming)
    }

    private var tooManyLists: ModelError {
        ModelError(
            .invalid,
            "The samples have more than \(limits.inferredEntities) lists.",
            hint: "Name those that are wanted."
        )
    }

    /// The model of everything that was added.
    ///
    /// - Throws: ``ModelError`` when there were no objects.
    public func result() throws -> InferredModel {
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
                "The objects of \(overfull.name) have more than \(limits.inferredNames) different "
                    + "names: they are data, not properties.",
                hint: "Name a list inside, or keep the document as it is."
            )
        }
        var draft = ModelDraft(seen, limits, naming)
        draft.unfold()
        draft.chooseKeysWithinParents()
        draft.noteKeys()
        draft.readProperties()
        draft.pairRelationships()
        draft.confirmKeysWithinParents()
        return draft.finish()
    }
}

/// What was seen of an entity that has samples of its own.
struct SampledEntity: Sendable {
    let name: String
    var shape: ObjectShape

    /// The paths of the lists that the samples come from.
    var collections: Set<String> = []

    /// How many items were no objects.
    var others = 0

    init(named name: String) {
        self.name = name
        shape = ObjectShape(named: name)
    }
}
