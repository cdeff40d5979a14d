/// The part of a list to fetch.
package enum FetchMode: Hashable, Sendable {
    /// All objects.
    case list

    /// The objects that changed since a cursor that the service provided.
    case changes(since: String)

    /// The keys of all objects.
    case keys

    /// The cursor since which changes are fetched; nil for the other modes.
    package var cursor: String? {
        switch self {
        case .changes(let cursor): cursor
        case .list, .keys: nil
        }
    }

    /// Whether all objects of the list are fetched, or their keys, so that an object that is
    /// missing was deleted.
    package var isWhole: Bool { cursor == nil }
}
