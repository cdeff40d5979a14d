public import TidemarkModel
public import TidemarkStore

public import struct Foundation.Date

/// A change of the service that contradicted a local one, with all versions.
///
/// It is recorded whatever a policy has decided, so that what was overwritten can be shown, and
/// decided again: see ``Conflicts``.
///
/// ```swift
/// for conflict in try store.read({ reader in try Conflicts(store).list(reader.db) }) {
///     for property in conflict.properties {
///         print(conflict.row, property.name, property.local, property.remote)
///     }
/// }
/// ```
public struct Conflict: Sendable, Hashable, Identifiable {
    /// What happened on the two sides.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Both have changed a property.
        case edit

        /// The service has deleted a row that was changed here.
        case deletedRemotely

        /// The service has changed a row that was deleted here.
        case deletedLocally

        /// Both have created an object with the same key, or the service has answered a creation
        /// with an object that it had before.
        case duplicateCreate

        /// The service has accepted a local change, and kept its own value.
        case notTaken

        /// The row differs from the object, and whether it was edited here is not known, because
        /// triggers were missing: see `UnrecordedEdits`.
        case unrecorded
    }

    /// Whose version was kept.
    public enum Decision: String, Sendable, Hashable, CaseIterable {
        /// What was stored here.
        case local

        /// What the service had.
        case remote

        /// What the service had before either side changed it.
        case base

        /// Other values, which a policy has computed or a user has given.
        case values
    }

    /// A property with all its versions.
    public struct Property: Sendable, Hashable {
        /// The name of the attribute or relationship.
        public let name: String

        /// What the service had when the local change was made.
        public let base: Version

        /// What was stored.
        public let local: Version

        /// What the service had then.
        public let remote: Version

        /// What the row got.
        public let kept: Version
    }

    /// A version of a property.
    public enum Version: Sendable, Hashable {
        /// The value of an attribute.
        case value(Value)

        /// The linked row; nil for none.
        ///
        /// It may not exist any more.
        case row(RowReference?)

        /// The objects without a primary key that the row contains, as JSON.
        case objects(String)

        /// The linked rows of a to-many relationship, of which some may not exist any more.
        ///
        /// A conflict names those alone whose links it is about: a row that one version has and
        /// another one lacks. If it is about their order, it names all of them.
        case rows([RowReference])
    }

    /// The number of the conflict.
    public let id: Int64

    /// The row, which may not exist any more.
    public let row: RowReference

    /// What happened.
    public let kind: Kind

    /// When it was noticed.
    public let time: Date

    /// The properties that differ; of a deletion, all that have a value.
    public let properties: [Property]

    /// Whose version was kept; nil for a conflict that awaits a decision.
    public let decision: Decision?

    /// The name of the policy that has decided, such as `remoteWins`, or `user`.
    public let decidedBy: String?

    /// The versions as they are stored.
    let stored: [StoredVersions]
}
