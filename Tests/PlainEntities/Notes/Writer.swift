// Written by “tidemark model generate”: change the model instead.
package import Foundation
package import Tidemark

package nonisolated struct Writer: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Writer>.unsaved
    package var email: String?
    package var joinedAt: Date?
    package var remoteID: Int?
    package var notes: Many<Memo>

    package var id: RowID<Writer> { rowID }

    package static let entityName = "Writer"
    package static let entity = EntityDescription(entityName, uniquenessConstraints: [["email"]]) {
        Attribute("email", .string)
        Attribute("joinedAt", .date)
        Attribute("remoteID", .integer64)
        Relationship(
            "notes",
            to: Memo.entityName,
            isToMany: true,
            inverse: "writer",
            deleteRule: .cascade
        )
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Writer
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Writer> { RowExpression(path) }
        package var email: AttributeExpression<String> { path.attribute("email") }
        package var joinedAt: AttributeExpression<Date> { path.attribute("joinedAt") }
        package var remoteID: AttributeExpression<Int> { path.attribute("remoteID") }
        package var notes: ToManyExpression<Writer, Memo> { path.many("notes", \.notes) }
    }

    package init(
        email: String? = nil,
        joinedAt: Date? = nil,
        remoteID: Int? = nil,
        notes: Many<Memo> = .unloaded
    ) {
        self.email = email
        self.joinedAt = joinedAt
        self.remoteID = remoteID
        self.notes = notes
    }

    package init(from row: EntityRow) throws {
        self.email = row[0, "email"]
        self.joinedAt = row[1, "joinedAt"]
        self.remoteID = row[2, "remoteID"]
        self.notes = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("email", self.email)
        row.set("joinedAt", self.joinedAt)
        row.set("remoteID", self.remoteID)
    }
}
