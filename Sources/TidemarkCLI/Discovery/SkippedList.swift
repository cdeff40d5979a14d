import TidemarkRemote

/// A configured list that is not pulled because the stored model has no entity for its objects and
/// none could be added.
struct SkippedList: Error {
    let entity: String

    /// The reason, and what the user can do.
    let message: String

    /// The exit status of the command; nil if the list has no objects, so that no data is missing.
    let status: ExitStatus?

    /// - Parameters:
    ///   - resource: The list.
    ///   - status: The exit status; nil if no data is missing.
    ///   - message: The reason, and what the user can do. The name of the entity is prepended.
    init(_ resource: RemoteResource, status: ExitStatus?, message: String) {
        entity = resource.entity
        self.status = status
        self.message = "\(resource.entity): \(message)"
    }
}
