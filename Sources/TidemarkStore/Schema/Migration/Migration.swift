package import TidemarkModel

/// The migration of a store to a changed model: its steps, and the rejections that prevent it.
///
/// A dry run returns one without changing the store;
/// ``Store/migrate(to:environment:unpushedChanges:willMigrate:)`` passes one to its closure before
/// the commit.
///
/// ```swift
/// let migration = try store.dryRunMigration(to: model)
/// for step in migration.steps { print(step) }   // drop User.age (3 values are lost)
/// ```
public struct Migration: Sendable, Hashable {
    /// The steps, in the order in which the store records them in the table `_tidemark_migrations`.
    public let steps: [MigrationStep]

    /// The reasons why the migration is rejected; empty if it can be done.
    ///
    /// Only a dry run returns rejections. A migration throws ``StoreError/Code/migrationRejected``
    /// instead, with the first of them.
    public let rejections: [MigrationRejection]

    /// The number of unresolved references that are deleted, because no row of the new model can
    /// have the key that they wait for.
    ///
    /// It is 0 in the result of a dry run that found rejections.
    public let discardedReferences: Int

    /// The number of local changes that were not pushed and are discarded, because the new model
    /// cannot represent them.
    ///
    /// It is 0 unless ``UnpushedChangePolicy/discard`` was passed, and in the result of a dry run
    /// that found rejections.
    public let discardedChanges: Int

    /// Whether the migration deletes data that the new model cannot store.
    ///
    /// Check it in the `willMigrate` closure of ``Store/open(at:model:environment:willMigrate:)``,
    /// and throw an error there to reject the migration.
    public var losesData: Bool {
        discardedReferences > 0 || discardedChanges > 0 || steps.contains(where: \.losesData)
    }

    /// Whether there are neither steps nor rejections, as between equal models.
    public var isEmpty: Bool { steps.isEmpty && rejections.isEmpty }

    init(
        _ steps: [MigrationStep],
        rejections: [MigrationRejection] = [],
        discarded: SchemaMigration.Discarded = SchemaMigration.Discarded()
    ) {
        self.steps = steps
        self.rejections = rejections
        discardedReferences = discarded.references
        discardedChanges = discarded.changes
    }

    /// Returns the error for a rejected migration, or nil if it has no rejections.
    func rejection(of location: String) -> StoreError? {
        guard let first = rejections.first else { return nil }
        let others = rejections.count - 1
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

/// The rejection of a change that would lose data, which prevents a migration.
///
/// Common reasons are a value that does not convert to the new type, a row without a value for an
/// attribute that becomes required and has no default, and two rows with the same value of a new
/// key.
///
/// ```swift
/// for rejection in try store.dryRunMigration(to: model).rejections {
///     print(rejection.location, rejection.count, rejection.hint)
///     guard let row = rejection.row else { continue }
///     print(try store.read { reader in try reader.record(RecordLocator(row)) })
/// }
/// ```
public struct MigrationRejection: Sendable, Hashable, CustomStringConvertible {
    /// The entity, attribute or relationship whose change is rejected, such as `User.age`.
    public let location: String

    /// The reason, in one sentence.
    ///
    /// It contains no stored value.
    public let reason: String

    /// How to make the migration possible.
    public let hint: String

    /// The first of the affected rows; nil if the rejection does not concern single rows.
    public let row: RowReference?

    /// The number of affected rows, values or links.
    public let count: Int

    /// The location, the reason and the hint on one line, without a stored value.
    public var description: String { "\(location): \(reason) \(hint)" }
}
