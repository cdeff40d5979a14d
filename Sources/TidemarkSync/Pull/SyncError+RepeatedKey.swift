import TidemarkModel
import TidemarkRemote

extension SyncError {
    /// Returns the error for a list with several objects that have the same guessed key.
    static func repeatedKey(_ key: [String], of resource: RemoteResource) -> SyncError {
        SyncError(
            .repeatedKey,
            "\(resource.path) has several objects with the same "
                + "“\(key.joined(separator: ", "))”, which was taken for the primary key of "
                + "\(resource.entity) because it was different in the first pages.",
            hint: "Write a model with another primaryKey, such as by `tidemark model show`, and "
                + "pull into a new store with --model."
        )
    }
}
