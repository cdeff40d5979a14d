import TidemarkRemote

/// Why a configured list is not pulled: the stored model has no entity for its objects, and none
/// could be added.
struct SkippedList: Error {
    let entity: String

    /// Why it is not pulled, and what to do.
    let message: String

    /// The exit status that it means; nil where the list has no objects: nothing is missing.
    let status: ExitStatus?

    /// - Parameters:
    ///   - resource: The list.
    ///   - status: The exit status; nil where nothing is missing.
    ///   - message: The reason and what to do, after the name of the entity.
    init(_ resource: RemoteResource, _ status: ExitStatus?, _ message: String) {
        entity = resource.entity
        self.status = status
        self.message = "\(resource.entity): \(message)"
    }
}
