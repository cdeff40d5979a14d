public import TidemarkModel

/// The result of an inference: a model, and notes about how it was derived.
public struct InferredModel: Hashable, Sendable {
    /// The model.
    public var model: Model

    /// Notes about decisions that are not obvious from the samples, in the order of the model.
    public var notes: [InferenceNote]
}

/// The explanation of a decision that the inference has made.
public struct InferenceNote: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the entity, or `Entity.property`, that the note is about.
    public var place: String

    /// A sentence that describes what was seen and decided.
    public var message: String

    /// Whether the user should review the decision: the samples do not prove it, or the model loses
    /// data.
    public var isDoubtful: Bool

    /// Creates a note.
    public init(_ place: String, _ message: String, isDoubtful: Bool = false) {
        self.place = place
        self.message = message
        self.isDoubtful = isDoubtful
    }

    /// The entity or property, followed by the message.
    public var description: String { "\(place): \(message)" }
}

/// The location of the objects in a sample, and the entity to which they were assigned.
public struct SampledList: Hashable, Sendable {
    /// The name of the entity.
    public var entity: String

    /// The key path to the objects, with dots between the names; nil if the document itself
    /// contains them.
    public var keyPath: String?

    /// The number of objects.
    public var count: Int
}
