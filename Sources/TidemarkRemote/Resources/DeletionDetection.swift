/// How the deletion of objects is detected.
///
/// Rows are deleted only on proof: because of a tombstone, or of a list that was read from its
/// first page to its last and whose objects did not move meanwhile. Large deletions await approval
/// (`PullOptions.deletionGuard`).
///
/// ```swift
/// var posts = service.resource("Post", path: "posts?include_deleted=true")
/// posts.style.deletes = .marked(["deleted_at"])    // soft delete
/// ```
public enum DeletionDetection: Hashable, Encodable, Sendable {
    /// Deletions are not detected. Rows are never deleted.
    ///
    /// It is required of all but one of the lists that share rows, and of single objects.
    case none

    /// An object that a complete list does not contain was deleted.
    ///
    /// It needs no support of the service, but a list that contains all objects of the entity. If
    /// changes are requested, deletions are noticed by a count, a list of keys or a full read.
    case sweep

    /// A deleted object is among the changes as a tombstone, by the member at this path. A complete
    /// list omits it or contains its tombstone.
    ///
    /// Null, false, 0, an empty text and dates of zeros mark no deletion, nor do "0" and "false".
    /// With a value, that text or number alone marks one, as `"cancelled"` at `["status"]`.
    ///
    /// This is the soft delete of many services: `"deleted": true`, or a time in `deleted_at`.
    /// Services may purge old tombstones: set ``ResourceStyle/count``, or read the whole list from
    /// time to time with ``ResourceStyle/fullInterval``.
    case marked([String], value: String? = nil)

    /// Parses the value of an option: `none`, `sweep`, or `marked:` followed by a path with dots,
    /// and by `=` and a value if that alone marks a deletion.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        switch option {
        case "none": self = .none
        case "sweep": self = .sweep
        default:
            guard let path = option.droppingPrefix("marked:") else { return nil }
            let parts = path.split(separator: "=", maxSplits: 1).map(String.init)
            guard let path = parts.first, parts.count == 1 || parts.last?.isEmpty == false else {
                return nil
            }
            self = .marked(path.pathComponents, value: parts.count > 1 ? parts[1] : nil)
        }
    }
}
