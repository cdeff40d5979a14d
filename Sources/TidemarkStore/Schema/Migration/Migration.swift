public import TidemarkModel

/// What it takes to bring a store to a changed model.
///
/// ```swift
/// let migration = try store.rehearseMigration(to: model)
/// for step in migration.steps { print(step) }   // drop User.age (3 values are lost)
/// ```
public struct Migration: Sendable, Hashable {
    /// What is done, in the order in which it is recorded.
    public let steps: [MigrationStep]

    /// Why it cannot be done; empty when it can.
    public let refusals: [MigrationRefusal]

    /// How many references to rows that have not arrived are forgotten, because nothing can carry
    /// the key they wait for any longer.
    public let forgottenReferences: Int

    /// Whether anything is lost that the new model has no place for.
    public var losesData: Bool { forgottenReferences > 0 || steps.contains(where: \.losesData) }

    /// Whether it does nothing to be told.
    public var isEmpty: Bool { steps.isEmpty && refusals.isEmpty }

    init(_ steps: [MigrationStep], refusals: [MigrationRefusal] = [], forgotten: Int = 0) {
        self.steps = steps
        self.refusals = refusals
        forgottenReferences = forgotten
    }

    /// The error that a refused migration ends with.
    func refusal(of place: String) -> StoreError? {
        guard let first = refusals.first else { return nil }
        let others = refusals.count - 1
        let rest = others == 0 ? "" : " (and \(others) more)"
        return StoreError(
            .migrationRefused,
            "The store \(place) cannot change to the model without losing data: "
                + "\(first.place): \(first.reason)\(rest)",
            hint: first.hint
        )
    }
}

/// One step of a migration: a difference of the models, and how much of the store it touches.
public struct MigrationStep: Sendable, Hashable, CustomStringConvertible {
    /// The difference; its description is the step's name.
    public let change: ModelChange

    /// How many rows, values or links it touches; nil where none are.
    public let count: Int?

    /// Whether they are lost, because the new model has no place for them.
    public let losesData: Bool

    /// The name by which a store remembers the step.
    public var name: String { change.description }

    /// The name, and what becomes of how much.
    public var description: String {
        guard let count, count > 0 else { return name }
        let one = count == 1
        return "\(name) (\(count) \(one ? noun : noun + "s") \(one ? fate.one : fate.many))"
    }

    private var noun: String {
        switch (change.property, change.kind) {
        case (_, .ordered), (_, .unordered): "place"
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

/// Why a migration cannot be done without losing data.
public struct MigrationRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The entity, attribute or relationship it is about.
    public let place: String

    /// What is in the way, in a sentence; never a value.
    public let reason: String

    /// What to do about it.
    public let hint: String

    /// A row it is about.
    public let row: RowReference?

    /// How many rows or links are in the way.
    public let count: Int

    /// The place, the reason and what to do.
    public var description: String { "\(place): \(reason) \(hint)" }
}
