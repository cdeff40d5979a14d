import TidemarkModel

extension StoreWriter {
    /// Links a row to another one by a to-many relationship.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     let ada = try writer.insert(User(id: 1, name: "Ada"))
    ///     let note = try writer.insert(Note(text: "Buy milk"))
    ///     try writer.link(\.notes, of: ada.rowID, to: note.rowID)
    /// }
    /// ```
    ///
    /// A row that can be in one list only leaves the previous one.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has it.
    ///   - other: The row to link to.
    ///   - position: The position in an ordered list, starting at 0; nil for its end.
    /// - Returns: Whether a link or the order changed.
    /// - Throws: ``StoreError/Code/rowNotFound``, ``StoreError/Code/typeMismatch``,
    ///   `DatabaseError`.
    @discardableResult
    public func link<Record, Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>,
        of row: RowID<Record>,
        to other: RowID<Destination>,
        at position: Int? = nil
    ) throws -> Bool {
        let (entity, list) = try self.list(relationship, of: row)
        try expect(other.number, atEndOf: list)
        guard let position, list.relationship.isOrdered else {
            return try link(list, of: row.number, to: other.number)
        }
        var members = try linked(list, of: row.number).filter { $0 != other.number }
        members.insert(other.number, at: min(max(position, 0), members.count))
        return try setLinks(list, of: row.number, entity: entity, toRows: members)
    }

    /// Removes the link of a row to another one.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has it.
    ///   - other: The row to which it is no longer linked.
    /// - Returns: Whether the rows were linked.
    /// - Throws: ``StoreError/Code/invalidValue`` if the other row would lose the parent in its
    ///   primary key; ``StoreError/Code/rowNotFound``, ``StoreError/Code/typeMismatch``,
    ///   `DatabaseError`.
    @discardableResult
    public func unlink<Record, Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>,
        of row: RowID<Record>,
        from other: RowID<Destination>
    ) throws -> Bool {
        let (_, list) = try self.list(relationship, of: row)
        guard try isLinked(list, of: row.number, to: other.number) else { return false }
        let destination = layout.entities[list.destination]
        if layout.isParentInKey(list), try hasKey(other.number, of: destination) {
            throw StoreError.lostParent(list, of: destination)
        }
        return try unlink(list, of: row.number, from: other.number)
    }

    /// Replaces the links of a to-many relationship, in the given order if it is ordered.
    ///
    /// ```swift
    /// try store.write { writer in
    ///     guard let user = try writer.first(User.filter { $0.name == "Ada" }) else { return }
    ///     let notes = try writer.rowIDs(Note.sorted(by: \.text))
    ///     try writer.setLinks(\.notes, of: user.rowID, to: notes)
    /// }
    /// ```
    ///
    /// Only differences are written.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has it.
    ///   - others: The rows to link to; none removes all links.
    /// - Returns: Whether a link or the order changed.
    /// - Throws: As `unlink(_:of:from:)`.
    @discardableResult
    public func setLinks<Record, Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>,
        of row: RowID<Record>,
        to others: [RowID<Destination>]
    ) throws -> Bool {
        let (entity, list) = try self.list(relationship, of: row)
        for other in others { try expect(other.number, atEndOf: list) }
        return try setLinks(
            list,
            of: row.number,
            entity: entity,
            toRows: others.map(\.number)
        )
    }

    /// Returns the entity of a row that exists, and the storage of one of its lists.
    private func list<Record, Destination>(
        _ relationship: KeyPath<Record.Properties, ToManyExpression<Record, Destination>>,
        of row: RowID<Record>
    ) throws -> (entity: EntityLayout, list: RelationshipLayout) {
        let entity = try layout.binding(of: Record.self).entity
        let name = Record.name(of: relationship)
        guard let list = entity.relationship(name) else {
            throw StoreError.unknownRelationship(name, of: entity)
        }
        guard try exists(row.number, of: entity) else { throw StoreError.rowNotFound("\(row)") }
        return (entity, list)
    }
}

extension StoreError {
    /// The error for a path that is not a relationship of the rows themselves.
    static func unknownRelationship(_ name: String, of entity: EntityLayout) -> StoreError {
        StoreError(
            .typeMismatch,
            "\(entity.name).\(name) is not a relationship of the rows.",
            hint: "Use the relationship of the row that has it."
        )
    }
}
