package import TidemarkModel

extension StoreLayout {
    /// The maximum number of properties in a table.
    ///
    /// SQLite allows 2,000 columns in a table and in a result set. A table has up to two columns of
    /// its own, and a query may select a few more.
    private static let propertyLimit = 1_990

    /// Returns the errors and warnings of a model, errors first, including a table with too many
    /// columns.
    package static func findings(in model: Model) -> [ModelIssue] {
        let findings = model.findings()
        guard !findings.contains(where: { $0.severity == .error }),
            let finding = tooManyColumns(in: model)
        else { return findings }
        return [finding] + findings
    }

    /// Returns an error for the first entity tree that has more properties than a table can have
    /// columns, or nil if no tree has.
    ///
    /// Each relationship counts as one column: it needs one for its reference or its position, or
    /// none.
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
                at: tree.root,
                message:
                    "Its table would have \(count) columns, and SQLite allows \(propertyLimit) at most.",
                hint:
                    "Make some of the attributes one of type json, or move them to another entity."
            )
        }
        return nil
    }
}

extension EntityDescription {
    /// The maximum number of columns for the properties that the entity declares itself.
    fileprivate var columnCount: Int {
        attributes.count { !$0.isTransient } + relationships.count
    }
}
