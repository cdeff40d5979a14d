package import TidemarkModel

extension StoreLayout {
    /// How many properties a table holds at most.
    ///
    /// SQLite allows 2,000 columns in a table and in a result. A table has up to two of its own,
    /// and a statement may ask for a few more.
    private static let propertyLimit = 1_990

    /// Everything that is wrong or doubtful in a model, errors first, what a table cannot hold
    /// included.
    package static func findings(in model: Model) -> [ModelIssue] {
        let findings = model.findings()
        guard !findings.contains(where: { $0.severity == .error }),
            let finding = tooManyColumns(in: model)
        else { return findings }
        return [finding] + findings
    }

    /// The first tree of entities whose properties are more than a table can have columns; nil
    /// without one.
    ///
    /// Each relationship counts: in the worst case it has a column, or one for an order.
    static func tooManyColumns(in model: Model) -> ModelIssue? {
        for tree in model.trees {
            let members = tree.members.compactMap { model[$0] }
            let inherited = members.first { $0.name == tree.root }.map { root in
                model.lineage(of: root).dropFirst().reduce(0) { $0 + $1.columnCount }
            }
            let count = members.reduce(inherited ?? 0) { $0 + $1.columnCount }
            guard count > propertyLimit else { continue }
            return ModelIssue(
                .error,
                tree.root,
                "Its table would have \(count) columns, and SQLite allows \(propertyLimit) at most.",
                hint:
                    "Make some of the attributes one of type json, or move them to another entity."
            )
        }
        return nil
    }
}

extension EntityDescription {
    /// How many columns the properties have that the entity declares itself.
    fileprivate var columnCount: Int {
        attributes.count { !$0.isTransient } + relationships.count
    }
}
