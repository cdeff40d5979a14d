// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Truck: EntityRecord, Hashable {
    package var rowID = RowID<Truck>.unsaved
    package var id: Int?
    package var name: String
    package var load: Double?
    package var garage: One<Garage>

    package static let entityName = "Truck"
    package static let entity = EntityDescription(entityName, parent: Vehicle.entityName) {
        Attribute("id", .integer64)
        Attribute("name", .string, isOptional: false)
        Attribute("load", .double)
        Relationship("garage", to: Garage.entityName, inverse: "vehicles")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Truck
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Truck> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var name: AttributeExpression<String> { path.attribute("name") }
        package var load: AttributeExpression<Double> { path.attribute("load") }
        package var garage: ToOneExpression<Truck, Garage> { path.one("garage", \.garage) }
    }

    package init(id: Int? = nil, name: String, load: Double? = nil, garage: One<Garage> = nil) {
        self.id = id
        self.name = name
        self.load = load
        self.garage = garage
    }

    package init(from row: EntityRow) throws {
        self.id = row[0, "id"]
        self.name = try row[1, "name"]
        self.load = row[2, "load"]
        self.garage = row.one(3, "garage")
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("name", self.name)
        row.set("load", self.load)
        row.set("garage", self.garage)
    }
}
