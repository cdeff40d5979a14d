/// How a resource tells that an object is gone.
public enum Deletes: String, Hashable, Sendable {
    /// Nothing tells it; rows stay.
    case none

    /// An object that a complete list does not hold is gone.
    case sweep
}
