/// A model that samples suggest, and what is to be known about it.
public struct InferredModel: Hashable, Sendable {
    /// The model.
    public var model: Model

    /// Why things are as they are, in the model's order.
    public var notes: [InferenceNote]
}

/// Why something in an inferred model is as it is.
public struct InferenceNote: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The entity, or `Entity.property`.
    public var place: String

    /// What was seen and decided, in a sentence.
    public var message: String

    /// Whether somebody should look at it: the samples do not prove it, or the model loses
    /// something.
    public var isDoubtful: Bool

    /// Creates a note.
    public init(_ place: String, _ message: String, isDoubtful: Bool = false) {
        self.place = place
        self.message = message
        self.isDoubtful = isDoubtful
    }

    /// The place, and what was seen and decided there.
    public var description: String { "\(place): \(message)" }
}

/// Where the objects of a sample are, and what they were taken for.
public struct SampledList: Hashable, Sendable {
    /// The entity.
    public var entity: String

    /// The path of names with dots between them that leads to them; nil for the document itself.
    public var keyPath: String?

    /// How many there were.
    public var count: Int
}
