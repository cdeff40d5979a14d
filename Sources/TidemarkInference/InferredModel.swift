package import TidemarkModel

/// The result of an inference: a model, and notes about how it was derived.
package struct InferredModel: Hashable, Sendable {
    /// The model.
    package var model: Model

    /// Notes about decisions that are not obvious from the samples, in the order of the model.
    package var notes: [InferenceNote]

    /// The entities whose key was chosen because its values differed in the samples.
    ///
    /// A later object with a value that was there before may be another object.
    package var guessedKeys: Set<String> = []
}

/// The explanation of a decision that the inference has made.
package struct InferenceNote: Hashable, Sendable, CustomStringConvertible {
    /// The name of the entity, or `Entity.property`, that the note is about.
    package var path: String

    /// A sentence that describes what was seen and decided.
    package var message: String

    /// Whether the user should review the decision: the samples do not prove it, or the model loses
    /// data.
    package var needsReview: Bool

    /// Creates a note.
    package init(on path: String, _ message: String, needsReview: Bool = false) {
        self.path = path
        self.message = message
        self.needsReview = needsReview
    }

    /// The entity or property, followed by the message.
    package var description: String { "\(path): \(message)" }
}

/// The location of the objects in a sample, and the entity to which they were assigned.
package struct SampledList: Hashable, Sendable {
    /// The name of the entity.
    package var entity: String

    /// The key path to the objects, with dots between the names; nil if the document itself
    /// contains them.
    package var keyPath: String?

    /// The number of objects.
    package var count: Int
}
