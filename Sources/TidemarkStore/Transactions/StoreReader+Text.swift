import TidemarkModel

extension StoreReader {
    /// Returns the first text of a row that is not valid UTF-8; nil without one.
    ///
    /// Another program may have written any bytes. They are read with replacement characters,
    /// U+FFFD, which must not be sent as the value of the row.
    ///
    /// - Parameter row: The row. The rows without a primary key that it contains are part of it.
    /// - Returns: The row that has the text, and the name of the attribute.
    /// - Throws: ``StoreError/Code/unknownEntity``; `DatabaseError`.
    package func invalidText(
        in row: RowReference
    ) throws -> (row: RowReference, attribute: String)? {
        var open = [row]
        var seen: Set<RowReference> = [row]
        while let next = open.popLast() {
            let entity = try layout.entity(next.entity)
            if let attribute = try invalidText(of: next.number, entity) { return (next, attribute) }
            for relationship in entity.relationships {
                let destination = layout.entities[relationship.destination]
                guard destination.key.isEmpty else { continue }
                for number in try linked(relationship, of: next.number) {
                    let part = try reference(to: number, in: destination.table)
                    if seen.insert(part).inserted { open.append(part) }
                }
            }
        }
        return nil
    }

    private func invalidText(of number: Int64, _ entity: EntityLayout) throws -> String? {
        let columns = entity.attributes.map { layout.name(of: $0.column, in: entity.table) }
        guard !columns.isEmpty else { return nil }
        let find = try statement(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(layout.name(of: entity.table)) \
            WHERE _id = ?
            """
        )
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        for (index, attribute) in entity.attributes.enumerated() {
            guard case .text(let bytes) = find.value(at: index) else { continue }
            let read = String(decoding: bytes, as: UTF8.self)
            if !read.utf8.elementsEqual(bytes) { return attribute.attribute.name }
        }
        return nil
    }
}
