public import TidemarkStore

extension ImportScope {
    /// The rows of a type that match a condition when the import begins.
    ///
    /// ```swift
    /// // The response to GET /users?min_age=18
    /// let report = try importer.import(
    ///     body,
    ///     as: User.self,
    ///     scope: .rows(of: User.self) { $0.age >= 18 }
    /// )
    /// ```
    ///
    /// It is ``rows(where:)`` with a condition that the compiler checks.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - condition: Returns the condition from the properties of the type.
    /// - Returns: The scope.
    public static func rows<Record: EntityRecord>(
        of type: Record.Type,
        where condition: (Record.Properties) -> some RecordPredicateConvertible
    ) -> ImportScope {
        .rows(where: type.predicate(condition))
    }

    /// The rows that a to-many relationship links to one parent row.
    ///
    /// ```swift
    /// // The response to GET /users/1/notes
    /// let ada = RowID<User>(1)
    /// let report = try importer.import(
    ///     body,
    ///     as: Note.self,
    ///     scope: .children(of: ada, by: \.notes)
    /// )
    /// ```
    ///
    /// It is ``children(of:relationship:)`` with a relationship that the compiler checks.
    ///
    /// - Parameters:
    ///   - parent: The parent row.
    ///   - relationship: Its relationship.
    /// - Returns: The scope.
    public static func children<Record: EntityRecord, Destination>(
        of parent: RowID<Record>,
        by relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>
    ) -> ImportScope {
        .children(
            of: RecordLocator(RowReference(Record.entityName, parent.number)),
            relationship: Record.name(of: relationship)
        )
    }
}
