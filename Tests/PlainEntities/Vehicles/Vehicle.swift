// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Vehicle: EntityRecord, Hashable {
    package var rowID = RowID<Vehicle>.unsaved
    package var id: Int?
    package var name: String
    package var garage: One<Garage>

    package static let entityName = "Vehicle"
    package static let entity = EntityDescription(
        entityName,
        isAbstract: true,
        discriminator: "type"
    ) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Relationship("garage", to: Garage.entityName, inverse: "vehicles")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Vehicle
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Vehicle> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var name: AttributeExpression<String> { path.attribute("name") }
        package var garage: ToOneExpression<Vehicle, Garage> { path.one("garage", \.garage) }
    }

    package init(id: Int? = nil, name: String, garage: One<Garage> = nil) {
        self.id = id
        self.name = name
        self.garage = garage
    }

    package init(from row: EntityRow) throws {
        self.id = row[0, "id"]
        self.name = try row[1, "name"]
        self.garage = row.one(2, "garage")
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("name", self.name)
        row.set("garage", self.garage)
    }
}
