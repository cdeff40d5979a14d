public import struct Foundation.Date

/// Local edits that may not have been recorded, because another program has removed or changed what
/// records them.
///
/// `SyncEngine.prepare` and each run check the triggers of a store that pushes, and install them
/// again. Edits that were made in between are not known. So the next complete pull compares all
/// rows with the service, and keeps local values that differ: each such row is a conflict that
/// awaits a decision, of the kind `Conflict.Kind.unrecorded`.
///
/// ```swift
/// if let edits = try SyncStatus.of(store).localChanges.unrecorded {
///     print("Edits may be missing:", edits.causes, edits.conflicts)
/// }
/// ```
public struct UnrecordedEdits: Sendable, Hashable {
    /// What has kept edits from being recorded.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// A trigger was missing, or was another one than Tidemark has created.
        ///
        /// Programs that rebuild a table, to change its schema, drop its triggers.
        case triggers

        /// The recording was switched off, or the entry of a table was missing, in
        /// `_tidemark_capture`.
        case recording

        /// Row numbers were used again, because `sqlite_sequence` was emptied.
        ///
        /// A row that was inserted under a former number cannot be distinguished from one that
        /// the service has. Without a key it is a local draft.
        case rowNumbers
    }

    /// What was found, sorted.
    public let causes: [Cause]

    /// When it was noticed and repaired; nil if it is not repaired yet.
    public let noticed: Date?

    /// The number of rows that differ from the service, and are conflicts therefore.
    public let conflicts: Int

    /// The number of rows, and of links and contained objects, that got what the service has
    /// although that may have undone an edit.
    ///
    /// Only 10,000 rows are kept as conflicts. Links of to-many relationships and objects without a
    /// primary key are always those of the service.
    public let overwritten: Int

    package init(
        causes: some Sequence<Cause>,
        noticed: Date? = nil,
        conflicts: Int = 0,
        overwritten: Int = 0
    ) {
        self.causes = Set(causes).sorted { $0.rawValue < $1.rawValue }
        self.noticed = noticed
        self.conflicts = conflicts
        self.overwritten = overwritten
    }
}
