// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Garage: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Garage>.unsaved
    package var id: String
    package var vehicles: Many<Vehicle>

    package static let entityName = "Garage"
    package static let entity = EntityDescription(entityName) {
        Attribute("id", .string, isOptional: false)
        Relationship("vehicles", to: Vehicle.entityName, isToMany: true, inverse: "garage")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Garage
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Garage> { RowExpression(path) }
        package var id: AttributeExpression<String> { path.attribute("id") }
        package var vehicles: ToManyExpression<Garage, Vehicle> {
            path.many("vehicles", \.vehicles)
        }
    }

    package init(id: String, vehicles: Many<Vehicle> = .unloaded) {
        self.id = id
        self.vehicles = vehicles
    }

    package init(from row: EntityRow) throws {
        self.id = try row[0, "id"]
        self.vehicles = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
    }
}
