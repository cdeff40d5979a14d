package import TidemarkModel

/// The migration of a store to a changed model: its steps, and the conflicts that prevent it.
///
/// A dry run returns one without changing the store;
/// ``Store/migrate(to:environment:willMigrate:)`` passes one to its closure before the commit.
///
/// ```swift
/// let migration = try store.dryRunMigration(to: model)
/// for step in migration.steps { print(step) }   // drop User.age (3 values are lost)
/// ```
public struct Migration: Sendable, Hashable {
    /// The steps, in the order in which the store records them in the table `_tidemark_migrations`.
    public let steps: [MigrationStep]

    /// The conflicts that prevent the migration; empty if it can be done.
    ///
    /// Only a dry run returns conflicts. A migration throws ``StoreError/Code/migrationRejected``
    /// instead, with the first of them.
    public let obstacles: [MigrationObstacle]

    /// The number of unresolved references that are deleted, because no row of the new model can
    /// have the key that they wait for.
    ///
    /// It is 0 in the result of a dry run that found conflicts.
    public let discardedReferences: Int

    /// Whether the migration deletes data that the new model cannot store.
    ///
    /// Check it in the `willMigrate` closure of ``Store/open(at:model:environment:willMigrate:)``,
    /// and throw an error there to reject the migration.
    public var losesData: Bool { discardedReferences > 0 || steps.contains(where: \.losesData) }

    /// Whether there are neither steps nor conflicts, as between equal models.
    public var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty }

    init(_ steps: [MigrationStep], obstacles: [MigrationObstacle] = [], discarded: Int = 0) {
        self.steps = steps
        self.obstacles = obstacles
        discardedReferences = discarded
    }

    /// Returns the error for a migration with conflicts, or nil if it has no conflicts.
    func rejection(of location: String) -> StoreError? {
        guard let first = obstacles.first else { return nil }
        let others = obstacles.count - 1
        let rest = others == 0 ? "" : " (and \(others) more)"
        return StoreError(
            .migrationRejected,
            "The store \(location) cannot change to the model without losing data: "
                + "\(first.location): \(first.reason)\(rest)",
            hint: first.hint
        )
    }
}

/// A step of a migration: a difference between the models, and the amount of data that it affects.
///
/// ```swift
/// let losses = try store.dryRunMigration(to: model).steps.filter(\.losesData)
/// print(losses.reduce(0) { $0 + ($1.count ?? 0) }, "values would be lost.")
/// ```
public struct MigrationStep: Sendable, Hashable, CustomStringConvertible {
    /// The difference between the models.
    ///
    /// Its description is the name of the step in the table `_tidemark_migrations`.
    package let change: ModelChange

    /// The number of rows, values or links that it affects; nil for a step that affects none, such
    /// as a renaming.
    public let count: Int?

    /// Whether the affected rows, values or links are deleted, because the new model cannot store
    /// them.
    ///
    /// Examples are the values of a dropped attribute and the rows of a dropped entity.
    public let losesData: Bool

    /// The name of the step in the table `_tidemark_migrations`.
    package var name: String { change.description }

    /// The name, followed by the number of affected rows, values or links and what happens to them.
    public var description: String {
        guard let count, count > 0 else { return name }
        let one = count == 1
        return "\(name) (\(count) \(one ? noun : noun + "s") \(one ? fate.one : fate.many))"
    }

    private var noun: String {
        switch (change.property, change.kind) {
        case (_, .ordered), (_, .unordered): "position"
        case (.relationship, _): "link"
        case (.attribute, .added), (.attribute, .required): "row"
        case (.attribute, _): "value"
        case (.index, _), (.uniqueness, _), (nil, _): "row"
        }
    }

    private var fate: (one: String, many: String) {
        if losesData { return ("is lost", "are lost") }
        return switch change.kind {
        case .added, .required: ("gets the default", "get the default")
        case .type: ("is converted", "are converted")
        case .dropped, .renamed, .parent, .table, .abstract, .concrete, .key, .optional,
            .destination, .toOne, .toMany, .ordered, .unordered, .deleteRule, .inverse, .annotated:
            ("is kept", "are kept")
        }
    }
}

/// A conflict: the reason why a migration cannot be done without losing data.
///
/// Common ones are a value that does not convert to the new type, a row without a value for an
/// attribute that becomes required and has no default, and two rows with the same value of a new
/// key.
///
/// ```swift
/// for obstacle in try store.dryRunMigration(to: model).obstacles {
///     print(obstacle.location, obstacle.count, obstacle.hint)
///     guard let row = obstacle.row else { continue }
///     print(try store.read { reader in try reader.record(RecordLocator(row)) })
/// }
/// ```
public struct MigrationObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The entity, attribute or relationship that has the conflict, such as `User.age`.
    public let location: String

    /// One sentence that describes the conflict.
    ///
    /// It contains no stored value.
    public let reason: String

    /// How to resolve the conflict.
    public let hint: String

    /// The first of the affected rows; nil if the conflict does not concern single rows.
    public let row: RowReference?

    /// The number of affected rows, values or links.
    public let count: Int

    /// The location, the reason and the hint on one line, without a stored value.
    public var description: String { "\(location): \(reason) \(hint)" }
}
