import TidemarkImport
public import TidemarkModel
public import TidemarkStore

/// The result of comparing a store with its service: see
/// ``SyncEngine/verify(only:importing:onEvent:)``.
///
/// Use it in tests and in support tools, to find out whether the rows are those of the service. A
/// difference may also be a change at the service since the last pull: pull first, then verify.
///
/// ```swift
/// try await engine.pull().get()
/// let verification = try await engine.verify()
/// if !verification.matches { print(verification) }
/// ```
public struct SyncVerification: Sendable {
    /// The rows that differ, with counts by entity.
    ///
    /// *Here* is the store; *there* is what the store would contain if it were in sync with the
    /// service. The number of rows that are listed is bounded by `Limits.diagnostics`; all are
    /// counted.
    ///
    /// <!-- example: let verification = try await engine.verify() -->
    /// ```swift
    /// for difference in verification.differences.rows where difference.other == nil {
    ///     print("\(difference.row) is not at the service.")
    /// }
    /// ```
    public var differences: StoreDifferences

    /// The rows with local changes that were not pushed, and that the service has changed, too.
    ///
    /// *Here* is the row as the service had it when the local change was made, *there* as it has it
    /// now. They are not differences, because the next sync merges them: it reports a conflict if
    /// both sides have changed the same property. An object that the store lacks is among them if a
    /// creation of its entity may have been applied without a response.
    ///
    /// <!-- example: let verification = try await engine.verify() -->
    /// ```swift
    /// for row in verification.changedOnBothSides.rows {
    ///     print("\(row.row) was changed on both sides.")
    /// }
    /// ```
    public var changedOnBothSides: StoreDifferences

    /// The rows that lack a link which the model requires, in the data of the service.
    ///
    /// They are not differences: the service itself omits the link, or refers to an object that no
    /// list contains. At most `Limits.diagnostics` are listed.
    public var missingLinks: [MissingLink] = []

    /// The changes that the service has accepted and had not shown before, with what its objects
    /// show of them now.
    ///
    /// At most `Limits.diagnostics` are listed.
    ///
    /// A value that the service has not taken is a difference as well.
    public var unconfirmed: [UnconfirmedChange] = []

    /// The edits of the store that may not have been recorded; nil if all were.
    ///
    /// The rows then differ although the outbox does not have their changes.
    public var unrecorded: UnrecordedEdits?

    /// How the service was read.
    ///
    /// Lists that could not be read to their ends were not compared completely: check
    /// ``SyncReport/failures``. Its counts describe a temporary copy of the store, not changes of
    /// the store.
    public var report: SyncReport

    /// Invalid values and objects of the service, which cannot be stored as they are.
    ///
    /// An invalid value differs from any stored value. An object that cannot be stored is not
    /// compared with a row. Each diagnostic names the entity, the key and the rule of the model.
    ///
    /// <!-- example: let verification = try await engine.verify() -->
    /// ```swift
    /// for diagnostic in verification.invalid { print(diagnostic) }
    /// ```
    public var invalid: [Diagnostic] {
        report.total.diagnostics.filter { $0.severity == .error }
    }

    /// The names of the entities with objects that cannot be stored.
    package var skippedEntities: [String] {
        report.total.entities.filter { $0.value.skipped > 0 }.keys.sorted()
    }

    /// Whether the store is in sync with the service: every resource was read to its end, all
    /// objects can be stored, and no row differs, apart from those with local changes.
    public var matches: Bool {
        differences.isEmpty && skippedEntities.isEmpty && report.isComplete
    }
}
