/// The comparison of three versions of a property that was changed locally: the base, which the
/// service had when the change was made, the local value, and the remote one, which it has now.
enum ThreeWayMerge: Hashable {
    /// The service has not changed the property: the local value is kept, and pushed.
    case local
    /// The service has got the same value.
    case agreement
    /// Both sides have changed the property: a ``ConflictPolicy`` decides.
    case conflict

    /// Compares the versions.
    ///
    /// - Parameters:
    ///   - isRemoteBase: Whether the remote value equals the base.
    ///   - isRemoteLocal: Whether the remote value equals the local one.
    init(isRemoteBase: Bool, isRemoteLocal: Bool) {
        self = isRemoteBase ? .local : isRemoteLocal ? .agreement : .conflict
    }
}
