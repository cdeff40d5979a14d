import GRDB
import TidemarkModel

extension StoreLayout {
    /// The statements that create all tables and indexes of the layout.
    var creation: [String] {
        tables.flatMap(\.creation) + joins.flatMap(\.creation)
    }
}

extension TableLayout {
    /// The statements that create the table and its indexes.
    var creation: [String] { [creation(as: name)] + indexCreation }

    /// The statements that create its indexes.
    var indexCreation: [String] { referenceIndexes + declaredIndexes }

    /// Returns the statement that creates the table with a given name.
    ///
    /// A migration first creates it under a temporary one.
    func creation(as name: String) -> String {
        let entity = hasEntityColumn ? ["\"_entity\" TEXT NOT NULL"] : []
        // Without AUTOINCREMENT, SQLite could assign the number of a deleted row to a new one.
        // STRICT makes it reject values of another storage class from other programs.
        let lines =
            ["\"_id\" INTEGER PRIMARY KEY AUTOINCREMENT"] + entity + columns.map(\.definition)
            + (keys + uniques).map { "UNIQUE (\(list($0)))" }
        return
            "CREATE TABLE \(name.quotedDatabaseIdentifier) (\(lines.joined(separator: ", "))) STRICT"
    }

    private var referenceIndexes: [String] {
        // SQLite does not index foreign keys itself: each deletion of a row would scan all tables
        // that refer to it. With the position in the index, an ordered list is read without a sort.
        columns.enumerated().compactMap { number, column in
            guard case .reference(let reference) = column.content else { return nil }
            let unique = reference.isUnique ? "UNIQUE " : ""
            let index = "_tidemark_reference_\(name).\(column.name)".quotedDatabaseIdentifier
            let position = columns.firstIndex { $0.content.isPosition(among: number) }
            return "CREATE \(unique)INDEX \(index) ON \(name.quotedDatabaseIdentifier)"
                + " (\(list([number] + (position.map { [$0] } ?? []))))"
        }
    }

    private var declaredIndexes: [String] {
        indexes.map { index in
            let name = "_tidemark_index_\(index.name)".quotedDatabaseIdentifier
            let elements = zip(index.columns, index.ascending).map { column, ascending in
                columns[column].name.quotedDatabaseIdentifier + (ascending ? "" : " DESC")
            }
            return "CREATE INDEX \(name) ON \(self.name.quotedDatabaseIdentifier)"
                + " (\(elements.joined(separator: ", ")))"
        }
    }

    private func list(_ columns: [Int]) -> String {
        columns.map { self.columns[$0].name.quotedDatabaseIdentifier }.joined(separator: ", ")
    }
}

extension TableLayout.Column {
    /// The column definition for CREATE TABLE and ADD COLUMN.
    var definition: String {
        let name = name.quotedDatabaseIdentifier
        switch content {
        case .attribute(let type):
            return "\(name) \(type.storageClass)" + (isRequired ? " NOT NULL" : "")
        case .reference(let reference):
            // Deferred, so that rows that refer to each other can be written in any order.
            return "\(name) INTEGER REFERENCES \(reference.table.quotedDatabaseIdentifier)(\"_id\")"
                + " ON DELETE \(reference.onDelete.action) DEFERRABLE INITIALLY DEFERRED"
        case .position:
            return "\(name) INTEGER"
        }
    }
}

extension AttributeType {
    /// The column type in a STRICT table.
    var storageClass: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float, .date: "REAL"
        // Decimals are text, because REAL would round them to 53 bits.
        case .decimal, .string, .uuid, .uri, .json: "TEXT"
        case .binary: "BLOB"
        // A transformer may return a value of any storage class.
        case .transformable: "ANY"
        }
    }
}

extension Relationship.DeleteRule {
    /// The rule for children whose primary key contains their parent.
    ///
    /// Without the parent they would have no key, so they are deleted with it unless the rule is
    /// `deny`.
    var ofKeyPart: Self { self == .deny ? .deny : .cascade }

    /// The foreign key action when another program deletes the referenced row.
    ///
    /// `deny` becomes NO ACTION: RESTRICT cannot be deferred to the end of a transaction.
    var action: String {
        switch self {
        case .nullify, .noAction: "SET NULL"
        case .cascade: "CASCADE"
        case .deny: "NO ACTION"
        }
    }
}

extension TableLayout.Content {
    fileprivate func isPosition(among column: Int) -> Bool {
        guard case .position(column) = self else { return false }
        return true
    }
}

extension JoinLayout {
    /// The statements that create the join table and its indexes.
    var creation: [String] { [tableCreation] + indexCreation }

    /// The statement that creates the join table.
    var tableCreation: String {
        """
        CREATE TABLE \(name.quotedDatabaseIdentifier) ("_id" INTEGER PRIMARY KEY, \
        "owner" INTEGER NOT NULL REFERENCES \(ownerTable.quotedDatabaseIdentifier)("_id") \
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, \
        "member" INTEGER NOT NULL REFERENCES \(memberTable.quotedDatabaseIdentifier)("_id") \
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, \
        "position" INTEGER, "inversePosition" INTEGER, UNIQUE ("owner", "member")) STRICT
        """
    }

    /// The statements that create its indexes: by owner and position if the members are ordered,
    /// and by member.
    var indexCreation: [String] {
        // Unordered members of an owner are found by UNIQUE (owner, member).
        let ends =
            (isOrdered ? [("owner", ["owner", "position"])] : [])
            + [("member", isInverseOrdered ? ["member", "inversePosition"] : ["member"])]
        return ends.map { end, columns in
            let index = "\(name).\(end)".quotedDatabaseIdentifier
            let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            return "CREATE INDEX \(index) ON \(name.quotedDatabaseIdentifier) (\(list))"
        }
    }
}
