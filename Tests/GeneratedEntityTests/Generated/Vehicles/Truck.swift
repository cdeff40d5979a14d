// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity(parent: Vehicle.self) struct Truck: Hashable {
    var id: Int?
    var name: String
    var load: Double?
    @Relationship(inverse: "vehicles") var garage: One<Garage>
}
