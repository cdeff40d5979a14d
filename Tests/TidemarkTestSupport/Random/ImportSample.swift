import Foundation
package import TidemarkModel

/// A random model, and documents that are imported in order.
package struct ImportSample: Sample {
    /// The model of the store.
    package var model: Model

    /// The documents, in the order of their import.
    package var steps: [Step]

    /// The index of a document, or of an item in one, at which a test injects an event.
    package var eventIndex: Int

    /// A document, and the entity that it is imported into.
    package struct Step: Sendable {
        package var entity: String
        package var document: JSONTree

        package init(entity: String, document: JSONTree) {
            self.entity = entity
            self.document = document
        }
    }

    package init(model: Model, steps: [Step], eventIndex: Int = 0) {
        self.model = model
        self.steps = steps
        self.eventIndex = eventIndex
    }

    /// Returns a function that generates a random model and documents of any content from a seed.
    package static func random(
        _ traits: RandomModel.Traits = .all,
        isConsistent: Bool = false
    ) -> (UInt64) -> ImportSample {
        { seed in
            // Several samples share a model, because the documents matter as much as the model.
            let model = RandomModel.model(seed: seed / 4, traits)
            var chance = Chance(seed: seed, for: "documents")
            var documents = RandomDocument(model, chance, isConsistent: isConsistent)
            let entities = model.importable
            guard !entities.isEmpty else { return ImportSample(model: model, steps: []) }
            let steps = (0..<chance.number(1...3)).map { _ in
                let entity = chance.pick(entities)
                return Step(entity: entity, document: documents.list(of: entity))
            }
            return ImportSample(model: model, steps: steps, eventIndex: chance.number(0...5))
        }
    }

    package var smaller: [ImportSample] {
        steps.withOneRemoved.map { ImportSample(model: model, steps: $0, eventIndex: eventIndex) }
            + steps.indices.flatMap { index in
                steps[index].document.smaller.map { document in
                    let step = Step(entity: steps[index].entity, document: document)
                    return ImportSample(
                        model: model,
                        steps: steps.replacing(index, by: step),
                        eventIndex: eventIndex
                    )
                }
            }
            + model.smaller(keeping: Set(steps.map(\.entity))).map {
                ImportSample(model: $0, steps: steps, eventIndex: eventIndex)
            }
    }

    package var description: String {
        let documents = steps.map { "\($0.entity) \($0.document.text)" }
        return ([model.text, "event index \(eventIndex)"] + documents).joined(separator: "\n")
    }
}

extension Model {
    /// The entities that documents can be imported into.
    package var importable: [String] {
        entities.filter { entity in
            !primaryKey(of: entity).isEmpty && tree(of: entity.name) != nil
        }
        .map(\.name)
    }

    /// The model as JSON, a format that every verb of the command reads.
    package var text: String {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            return "\(error)"
        }
    }

    /// Returns valid models that are smaller by one element and retain the named entities.
    ///
    /// Each lacks an entity, a relationship with its inverse, an attribute, the properties of an
    /// attribute, or uniqueness constraints.
    package func smaller(keeping names: Set<String>) -> [Model] {
        var result = entities.map(\.name).filter { !names.contains($0) }.map { name in
            Model(entities: entities.filter { $0.name != name })
        }
        for (index, entity) in entities.enumerated() {
            for relationship in entity.relationships {
                result.append(without(relationship))
            }
            for attribute in entity.attributes.indices {
                var less = entity
                less.attributes.remove(at: attribute)
                result.append(Model(entities: entities.replacing(index, by: less)))
                result.append(plain(index, attribute))
            }
            if !entity.uniquenessConstraints.isEmpty {
                var less = entity
                less.uniquenessConstraints = []
                result.append(Model(entities: entities.replacing(index, by: less)))
            }
        }
        return result.filter { less in
            let entities = Set(less.entities.map(\.name))
            return less != self && less.importable == importable.filter(entities.contains)
                && names.isSubset(of: Set(less.importable))
                && !less.findings().contains { $0.severity == .error }
        }
    }

    /// Returns the model with an attribute reduced to its name and type.
    private func plain(_ index: Int, _ attribute: Int) -> Model {
        var entity = entities[index]
        let old = entity.attributes[attribute]
        entity.attributes[attribute] = Attribute(old.name, old.type)
        return Model(entities: entities.replacing(index, by: entity))
    }

    private func without(_ relationship: Relationship) -> Model {
        Model(
            entities: entities.map { entity in
                var less = entity
                less.relationships.removeAll { other in
                    other.name == relationship.name
                        || (other.name == relationship.inverse
                            && other.inverse == relationship.name)
                }
                return less
            }
        )
    }
}
