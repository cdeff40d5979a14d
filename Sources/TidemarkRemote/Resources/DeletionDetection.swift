/// How the deletion of objects is detected.
public enum DeletionDetection: Hashable, Encodable, Sendable {
    /// Deletions are not detected. Rows are never deleted.
    case none

    /// An object that a complete list does not contain was deleted.
    case sweep

    /// A deleted object is among the changes as a tombstone: the member at this path is neither
    /// null nor false. A complete list omits it or contains its tombstone.
    case marked([String])

    /// Parses the value of an option: `none`, `sweep`, or `marked:` followed by a path with dots.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        switch option {
        case "none": self = .none
        case "sweep": self = .sweep
        default:
            guard let path = option.droppingPrefix("marked:") else { return nil }
            self = .marked(path.pathComponents)
        }
    }
}
