/// The decision between a local change that was not pushed, and the deletion of the same row, if
/// one was made here and the other at the service.
///
/// Whatever the decision is, the conflict is recorded with all values of the row, and can be
/// decided again.
///
/// ```swift
/// let policies = ConflictPolicies(deletes: .editWins)
/// ```
public enum DeletePolicy: String, Sendable, Hashable, CaseIterable {
    /// What the service says: a row that it has deleted is deleted, and one that it has changed
    /// comes back.
    case remoteWins

    /// What was done here: a row that was changed is created again, and one that was deleted is
    /// deleted at the service, too.
    case localWins

    /// The change, on whichever side it was made: the row exists again.
    case editWins

    /// The local state is kept, and not pushed until a user has decided.
    case manual

    /// Whether a row that was changed here is kept although the service has deleted it.
    var keepsDeleted: Bool { self != .remoteWins }
}
