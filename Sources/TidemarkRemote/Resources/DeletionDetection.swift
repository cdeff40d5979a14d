/// How a resource tells that an object is gone.
public enum DeletionDetection: Hashable, Encodable, Sendable {
    /// Nothing tells it; rows stay.
    case none

    /// An object that a complete list does not hold is gone.
    case sweep

    /// An object that is gone stands among the changes, with a member that is neither null nor
    /// false; a complete list does not hold it, or holds it with that member.
    case marked([String])

    /// The way that an option names: `none`, `sweep`, `marked:` and keys with dots between.
    ///
    /// - Returns: nil where there is no such way.
    public init?(option: String) {
        switch option {
        case "none": self = .none
        case "sweep": self = .sweep
        default:
            guard option.hasPrefix("marked:"), option.count > 7 else { return nil }
            self = .marked(option.dropFirst(7).split(separator: ".").map(String.init))
        }
    }
}
