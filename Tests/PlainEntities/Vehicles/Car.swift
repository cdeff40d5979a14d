// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Car: EntityRecord, Hashable {
    package var rowID = RowID<Car>.unsaved
    package var id: Int?
    package var name: String
    package var doors: Int16?
    package var garage: One<Garage>

    package static let entityName = "Car"
    package static let entity = EntityDescription(
        entityName,
        parent: Vehicle.entityName,
        uniquenessConstraints: [["doors"]]
    ) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Attribute("doors", .integer16, defaultValue: .integer(4))
        Relationship("garage", to: Garage.entityName, inverse: "vehicles")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Car
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Car> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var name: AttributeExpression<String> { path.attribute("name") }
        package var doors: AttributeExpression<Int16> { path.attribute("doors") }
        package var garage: ToOneExpression<Car, Garage> { path.one("garage", \.garage) }
    }

    package init(id: Int? = nil, name: String, doors: Int16? = 4, garage: One<Garage> = nil) {
        self.id = id
        self.name = name
        self.doors = doors
        self.garage = garage
    }

    package init(from row: EntityRow) throws {
        self.id = row[0, "id"]
        self.name = try row[1, "name"]
        self.doors = row[2, "doors"]
        self.garage = row.one(3, "garage")
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("name", self.name)
        row.set("doors", self.doors)
        row.set("garage", self.garage)
    }
}
