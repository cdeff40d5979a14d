/// The state of a local change that the service does not have yet.
///
/// Every change is in exactly one state. It leaves the outbox only when the service has it, when
/// its user discards it, or when a policy has decided for a change of the service.
///
/// ```
/// pending ─► inFlight ─► (the service has it)
///    ▲          ├─► uncertain ─► pending, or the service has it
///    │          ├─► rejected ───► pending, when the row is edited
///    └──────────┴─► conflicted ─► pending, when a user decides
/// ```
public enum LocalChangeState: String, Sendable, Hashable, CaseIterable {
    /// It is to be sent: by the next push, or after its next attempt is due.
    case pending

    /// Its request is being sent.
    ///
    /// After a crash, the next push makes it ``uncertain``.
    case inFlight

    /// Its request was sent, and the service may have applied it: the response was lost, has the
    /// status 202, or contradicts itself.
    ///
    /// The next sync determines whether it was applied, where it can, and sends it again only if it
    /// was not. Otherwise a user decides: see `SyncEngine.adopt` and `Outbox`.
    case uncertain

    /// The service has rejected it.
    ///
    /// It is sent again once the row is edited, or on request. It blocks changes that depend on it,
    /// and no others.
    case rejected

    /// It contradicts a change of the service, and a user has to decide.
    case conflicted
}

/// What a local change does to the object at the service.
public enum LocalChangeKind: String, Sendable, Hashable, CaseIterable {
    /// It creates the object.
    case create

    /// It changes some of the object's properties.
    case update

    /// It deletes the object.
    case delete
}
