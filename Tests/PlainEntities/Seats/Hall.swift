// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Hall: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Hall>.unsaved
    package var city: String
    package var name: String
    package var seats: Many<Seat>

    package var id: RowID<Hall> { rowID }

    package static let entityName = "Hall"
    package static let entity = EntityDescription(entityName, primaryKey: ["city", "name"]) {
        Attribute("city", .string, isOptional: false)
        Attribute("name", .string, isOptional: false)
        Relationship(
            "seats",
            to: Seat.entityName,
            isToMany: true,
            inverse: "hall",
            deleteRule: .cascade
        )
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Hall
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Hall> { RowExpression(path) }
        package var city: AttributeExpression<String> { path.attribute("city") }
        package var name: AttributeExpression<String> { path.attribute("name") }
        package var seats: ToManyExpression<Hall, Seat> { path.many("seats", \.seats) }
    }

    package init(city: String, name: String, seats: Many<Seat> = .unloaded) {
        self.city = city
        self.name = name
        self.seats = seats
    }

    package init(from row: EntityRow) throws {
        self.city = try row[0, "city"]
        self.name = try row[1, "name"]
        self.seats = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("city", self.city)
        row.set("name", self.name)
    }
}
