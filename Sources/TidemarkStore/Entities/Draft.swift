public import TidemarkModel

/// An editable copy of a record, which remembers the values that it started from.
///
/// Use it for a form that is open for a while: saving writes what was changed in the draft, and
/// keeps what others have changed in the store meanwhile. Core Data's child contexts serve the same
/// purpose, for many objects.
///
/// ```swift
/// func rename(_ user: User, to name: String, in store: Store) throws {
///     var draft = Draft(user)
///     draft.name = name
///     let outcome = try store.save(draft)
///     for property in outcome.changedInStore { print("\(property) was changed by others") }
/// }
/// ```
///
/// Saving the draft of a record that is not stored inserts it.
@dynamicMemberLookup
public struct Draft<Record: EntityRecord>: Sendable {
    /// The record of which the draft was made.
    public let base: Record

    /// The record as it is edited.
    ///
    /// Changes of its identity have no effect.
    public var current: Record

    /// Creates a draft.
    ///
    /// - Parameter record: The record to edit. Fetch it immediately before: changes made after that
    ///   are detected.
    public init(_ record: Record) {
        base = record
        current = record
    }

    /// The value of a property of the edited record.
    public subscript<V>(dynamicMember property: WritableKeyPath<Record, V>) -> V {
        get { current[keyPath: property] }
        set { current[keyPath: property] = newValue }
    }

    /// The names of the properties that were changed in the draft, in the order of the type.
    ///
    /// - Throws: Errors of ``EntityRecord/encode(to:)``.
    public var changes: [String] {
        get throws {
            let names = Record.propertyNames
            let (before, after) = try (values(of: base, names), values(of: current, names))
            return zip(names, zip(before, after)).filter { !$1.0.isSame(as: $1.1) }.map(\.0)
        }
    }

    private func values(of record: Record, _ names: [String]) throws -> [Value] {
        var row = EncodedRow(PropertyNames(entity: Record.entityName, names: names))
        try record.encode(to: &row)
        return try row.complete()
    }
}

extension Draft: Equatable where Record: Equatable {}
extension Draft: Hashable where Record: Hashable {}

/// What happens to a property that was changed in a draft and in the store, to different values.
public enum DraftConflictPolicy: Sendable, Hashable {
    /// The value of the draft is written.
    case mine
    /// The value of the store is kept.
    case theirs
    /// Nothing of the draft is written: see ``DraftOutcome/conflicts``.
    case stop
}

/// What saving a draft has done.
public struct DraftOutcome<Record: EntityRecord>: Sendable {
    /// The record as it is stored now.
    ///
    /// It is not saved if a conflict has stopped that: see ``isSaved``.
    public let record: Record

    /// The names of the properties that were written, in the order of the type.
    public let changed: [String]

    /// The names of the properties that were changed in the store alone, which are kept.
    public let changedInStore: [String]

    /// The properties that were changed in both, to different values.
    public let conflicts: [DraftConflict]

    /// Whether the changes of the draft are stored, except for those that the policy overrules.
    public let isSaved: Bool
}

/// A property that was changed in a draft and in the store, to different values.
public struct DraftConflict: Sendable, Hashable {
    /// The name of the property.
    public let property: String

    /// The value when the draft was made; the number of the linked row for a relationship.
    public let base: Value

    /// The value in the draft.
    public let current: Value

    /// The value in the store.
    public let stored: Value
}
