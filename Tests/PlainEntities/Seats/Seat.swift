// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Seat: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Seat>.unsaved
    package var number: Int32
    package var row: Int16
    package var column: Int16
    package var hall: One<Hall>

    package var id: RowID<Seat> { rowID }

    package static let entityName = "Seat"
    package static let entity = EntityDescription(
        entityName,
        primaryKey: ["hall", "number"],
        uniquenessConstraints: [["row", "column", "hall"]]
    ) {
        Attribute("number", .integer32, isOptional: false)
        Attribute("row", .integer16, isOptional: false)
        Attribute("column", .integer16, isOptional: false)
        Relationship("hall", to: Hall.entityName, inverse: "seats")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Seat
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Seat> { RowExpression(path) }
        package var number: AttributeExpression<Int32> { path.attribute("number") }
        package var row: AttributeExpression<Int16> { path.attribute("row") }
        package var column: AttributeExpression<Int16> { path.attribute("column") }
        package var hall: ToOneExpression<Seat, Hall> { path.one("hall", \.hall) }
    }

    package init(number: Int32, row: Int16, column: Int16, hall: One<Hall> = nil) {
        self.number = number
        self.row = row
        self.column = column
        self.hall = hall
    }

    package init(from row: EntityRow) throws {
        self.number = try row[0, "number"]
        self.row = try row[1, "row"]
        self.column = try row[2, "column"]
        self.hall = row.one(3, "hall")
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("number", self.number)
        row.set("row", self.row)
        row.set("column", self.column)
        row.set("hall", self.hall)
    }
}
